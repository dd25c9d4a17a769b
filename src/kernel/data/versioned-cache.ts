import type { Context } from 'hono';
import { now } from '../core/clock.ts';
import type { Failure } from '../core/errors.ts';
import type { Result } from '../core/result.ts';
import type { AccessRequirement } from '../core/scopes.ts';
import { shareable } from '../core/shareable-promise.ts';
import { sha256 } from '../crypto/crypto.ts';
import type { App, Call, CatalogReader, Reply } from '../http/context.ts';
import { type CachedBody, entityTag } from './cached-body.ts';
import { type Database, database } from './database.ts';

/**
 * The format of what KV holds, a part of every key: entries outlive a deploy. It is the digest of the shapes of
 * all cached bodies, which test/kernel/cache-format.test.ts works out: another shape needs another format.
 */
export const CACHE_FORMAT = '4fec726b';
/** How long (s) KV keeps an entry. Entries never change, so this only bounds how much is stored. */
const KV_TTL = 3600;
/** How many characters an isolate keeps in memory, and what an entry costs beside its body. */
const MEMORY = 16_000_000;
const ENTRY = 500;
/** How many addresses an isolate knows the answers of, and how long (characters) one may be. */
const ADDRESSES = 10_000;
const ADDRESS_LENGTH = 512;
/** A read that others wait for is given up after this long (ms): the request that began it may be gone. */
const SHARED_FILL_MS = 5_000;

/** The catalogue version of a caller who sees what the database holds now, past every cache. Real ones begin at 1. */
export const NEWEST = 0;

/** What a fill read: the version and the answer from one batch. */
export interface Filled<Value = unknown> {
  readonly version: number;
  readonly answer: Result<Value>;
  /** Counts the changes of what is shown, where `If-Match` is to be compared with it. */
  readonly revision?: number | undefined;
}

/** A read of the catalogue that may be answered from memory or KV. */
export interface CachedRead {
  /** Names the answer within the tenant: the same question has the same key, another question never. */
  readonly key: string;
  readonly need: AccessRequirement;
  /** `memory` for what has too many questions to be worth storing, such as free text. */
  readonly keep: 'kv' | 'memory';
  /**
   * Answers for the whole address, so that the next request of the same URL needs no validation. Only
   * where nothing but `need` and the address decides who sees what.
   */
  readonly hot: boolean;
  /** Reads version and rows in one batch. */
  fill(db: Database): Promise<Filled>;
}

const memory = new Map<string, CachedBody>();
let kept = 0;
const filling = new Map<string, { since: number; rendered: Promise<CachedBody | Failure> }>();
/** Address → the name in `memory` of what was last answered there. */
const hot = new Map<string, { name: string; need: AccessRequirement }>();

/** What this isolate last answered to a URL of this tenant (path and query), and what it took to see it. */
export function hotEntry(
  tenantId: number,
  address: string,
): { readonly rendered: CachedBody; readonly need: AccessRequirement } | null {
  const entry = hot.get(`${tenantId}${address}`);
  const rendered = entry && memory.get(entry.name);
  return rendered ? { rendered, need: entry.need } : null;
}

/**
 * Answers a catalogue read at the lease's version or the one that `X-Catalog-Version` asks for,
 * whichever is newer: from memory, else KV, else one D1 batch. Entries are stored under the version that
 * the batch read, so neither a lagging replica nor a made-up version can pin something stale.
 */
export async function cachedRead(call: Call, read: CachedRead): Promise<Reply<never>> {
  const { c, caller } = call;
  const wanted = requestedVersion(call);
  const found = await lookup(call, read, wanted);
  if (!('version' in found)) return { ok: false, failure: found };
  if (read.hot && wanted !== NEWEST)
    remember(caller.tenantId, urlKey(c.req.url), nameOf(call, read, found.version), read.need);
  return { ok: true, rendered: found };
}

/** The catalogue version to answer at: the lease's, or the newer one that `X-Catalog-Version` asks for. */
export const requestedVersion = ({ c, caller }: Call): number =>
  Math.max(caller.catalogVersion, versionAsked(c));

/** The catalogue version that `X-Catalog-Version` asks for; 0 for none. */
export function versionAsked(c: Context<App>): number {
  const asked = Number(c.req.header('x-catalog-version'));
  return Number.isSafeInteger(asked) ? asked : 0;
}

/** A value that is kept as catalogue reads are, for use inside rather than as an answer. */
export interface CachedValue<T> {
  readonly key: string;
  /** Reads version and value in one batch. The value has to survive JSON. */
  fill(db: Database): Promise<Filled<T>>;
}

const values = new WeakMap<CachedBody, unknown>();

/**
 * A value at `version` or a newer one, with the version that it was read at: from memory, else KV, else
 * one D1 batch. It is shared by everybody who asks, so nobody may change it.
 */
export async function cachedValue<T>(
  call: CatalogReader,
  read: CachedValue<T>,
  version: number,
): Promise<Result<{ readonly version: number; readonly value: T }>> {
  const found = await lookup(call, { keep: 'kv', ...read }, version);
  if (!('version' in found)) return { ok: false, failure: found };
  const value = values.get(found) ?? JSON.parse(found.body);
  values.set(found, value);
  // It was stored under this key by this very fill.
  return { ok: true, value: { version: found.version, value: value as T } };
}

/** What looking something up needs of a read. */
type Lookup = Pick<CachedRead, 'key' | 'keep' | 'fill'>;

/** Path and query of a URL. */
export const urlKey = (url: string): string => url.slice(url.indexOf('/', 8));

const nameOf = ({ caller }: CatalogReader, read: Pick<CachedRead, 'key'>, version: number): string =>
  `${caller.tenantId}:${version}:${read.key}`;

async function lookup(call: CatalogReader, read: Lookup, version: number): Promise<CachedBody | Failure> {
  if (version === NEWEST) {
    const { version: found, answer, revision } = await read.fill(database(call.env));
    return answer.ok ? render(found, answer.value, revision) : answer.failure;
  }
  const name = nameOf(call, read, version);
  const known = memory.get(name);
  if (known) return known;
  const shared = filling.get(name);
  if (shared && now() - shared.since < SHARED_FILL_MS) return shared.rendered;
  const rendered = shareable(
    load(call, read, version).finally(() => {
      if (filling.get(name)?.rendered === rendered) filling.delete(name);
    }),
  );
  filling.set(name, { since: now(), rendered });
  // Others wait for it too, so it has to outlive the request that began it.
  call.ctx.waitUntil(rendered.catch(() => undefined));
  return rendered;
}

async function load(call: CatalogReader, read: Lookup, version: number): Promise<CachedBody | Failure> {
  const { env, ctx, caller } = call;
  const kvKey = (at: number) => `catalog:${CACHE_FORMAT}:${caller.tenantId}:${at}:${sha256(read.key)}`;
  if (read.keep === 'kv') {
    const stored = await env.CACHE.get<CachedBody>(kvKey(version), 'json').catch(() => null);
    if (stored) return keep(nameOf(call, read, stored.version), stored);
  }
  let filled = await read.fill(database(env, 'nearest'));
  if (filled.version < version) filled = await read.fill(database(env, 'primary'));
  if (!filled.answer.ok) return filled.answer.failure;
  const rendered = render(filled.version, filled.answer.value, filled.revision);
  if (read.keep === 'kv') {
    const put = env.CACHE.put(kvKey(rendered.version), JSON.stringify(rendered), { expirationTtl: KV_TTL });
    ctx.waitUntil(put.catch(() => undefined));
  }
  return keep(nameOf(call, read, rendered.version), rendered);
}

/** A value as the body that is sent, with its entity tag. */
export function render(version: number, value: unknown, revision?: number): CachedBody {
  const body = JSON.stringify(value);
  return { version, etag: entityTag(body, revision), body };
}

/** Keeps a body in memory; the oldest go when there are too many characters. */
function keep(name: string, rendered: CachedBody): CachedBody {
  drop(name);
  memory.set(name, rendered);
  kept += cost(name, rendered);
  for (const oldest of memory.keys()) {
    if (kept <= MEMORY) break;
    drop(oldest);
  }
  return rendered;
}

function drop(name: string): void {
  const rendered = memory.get(name);
  if (!rendered) return;
  memory.delete(name);
  kept -= cost(name, rendered);
}

const cost = (name: string, { body }: CachedBody): number => body.length + name.length + ENTRY;

/** Notes what an address was answered with; the oldest note goes when there are too many. */
function remember(tenantId: number, address: string, name: string, need: AccessRequirement): void {
  if (address.length > ADDRESS_LENGTH) return;
  const oldest = hot.size >= ADDRESSES ? hot.keys().next().value : undefined;
  if (oldest !== undefined) hot.delete(oldest);
  hot.set(`${tenantId}${address}`, { name, need });
}
