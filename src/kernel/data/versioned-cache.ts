import type { Context } from 'hono';
import { now } from '../core/clock.ts';
import type { Failure } from '../core/errors.ts';
import type { Result } from '../core/result.ts';
import type { AccessRequirement } from '../core/scopes.ts';
import { shareable } from '../core/shareable-promise.ts';
import { sha256 } from '../crypto/crypto.ts';
import type { App, Call, Caller, CatalogReader, Reply } from '../http/context.ts';
import { type CachedBody, entityTag } from './cached-body.ts';
import { database } from './database.ts';
import type { TenantDatabase } from './tenant-context.ts';

/**
 * Format of the KV entries, and part of every key because entries outlive a deploy. A digest of the schemas
 * of all cached bodies; test/kernel/data/cached-body.test.ts fails when a schema changes without it.
 */
export const CACHE_FORMAT = 'a96ba838';
/** Lifetime of a KV entry in seconds. Entries never change, so this only bounds the storage. */
const KV_TTL_S = 3600;
/** The most UTF-16 units that an isolate keeps in memory, and the overhead counted for each entry. */
const MAX_MEMORY_LENGTH = 16_000_000;
const ENTRY_OVERHEAD = 500;
/** The most URLs for which an isolate remembers the cache entry, and the longest such URL. */
const MAX_HOT_URLS = 10_000;
const MAX_HOT_URL_LENGTH = 512;
/** Requests stop sharing a fill after this many ms: the request that started it may have been cancelled. */
const SHARED_FILL_MS = 5_000;

/** Catalogue version that bypasses every cache and reads the primary. Real versions begin at 1. */
export const NEWEST = 0;

/** The result of a fill: catalogue version and value from one batch. */
export interface Filled<Value = unknown> {
  readonly version: number;
  readonly answer: Result<Value>;
  /** The resource's revision, for resources that support `If-Match`. */
  readonly revision?: number | undefined;
}

/** A catalogue read that may be served from memory or KV. */
export interface CachedRead {
  /** Cache key, unique within the tenant for each distinct read. */
  readonly key: string;
  readonly need: AccessRequirement;
  /** `memory` for reads that rarely repeat, such as free-text searches. */
  readonly keep: 'kv' | 'memory';
  /**
   * Lets the next request for the same URL skip validation. Only for responses that depend on nothing but
   * the URL, `need` and {@link isEditor}.
   */
  readonly hot: boolean;
  /** Reads version and rows in one batch. */
  fill(from: TenantDatabase): Promise<Filled>;
}

const memory = new Map<string, CachedBody>();
let memoryLength = 0;
const filling = new Map<string, { since: number; rendered: Promise<CachedBody | Failure> }>();
/** The key in `memory` of the last response to a URL, and the access it requires. */
interface HotEntry {
  readonly name: string;
  readonly need: AccessRequirement;
}
/** Tenant, audience and URL → the last response. */
const hot = new Map<string, HotEntry>();

/** Who reads: a caller with `catalog:write` (an editor) sees what others don't, such as metadata. */
export interface Audience {
  readonly tenantId: number;
  readonly editor: boolean;
}

/** Returns whether a caller sees what only `catalog:write` may see. A read's `key` must tell both apart. */
export const isEditor = ({ scopes }: Pick<Caller, 'scopes'>): boolean => scopes.has('catalog:write');

const hotKey = ({ tenantId, editor }: Audience, address: string): string =>
  `${tenantId}${editor ? '+' : ''}${address}`;

/**
 * Returns this isolate's last response to a URL (path and query) for an audience, and the access it requires.
 */
export function hotEntry(
  audience: Audience,
  address: string,
): { readonly rendered: CachedBody; readonly need: AccessRequirement } | null {
  const entry = hot.get(hotKey(audience, address));
  const rendered = entry && memory.get(entry.name);
  return rendered ? { rendered, need: entry.need } : null;
}

/**
 * Serves a catalogue read at the lease's version or that of `X-Catalog-Version`, whichever is newer: from
 * memory, else KV, else one D1 batch. Entries are stored under the version that the batch read, so neither
 * a lagging replica nor an invented version can pin stale data.
 */
export async function cachedRead(call: Call, read: CachedRead): Promise<Reply<never>> {
  const { c, caller } = call;
  const wanted = requestedVersion(call);
  const found = await lookup(call, read, wanted);
  if (!('version' in found)) return { ok: false, failure: found };
  if (read.hot && wanted !== NEWEST)
    remember(caller, urlKey(c.req.url), { name: nameOf(call, read, found.version), need: read.need });
  return { ok: true, rendered: found };
}

/** Returns the lowest catalogue version to serve: the lease's or that of `X-Catalog-Version`, if newer. */
export const requestedVersion = ({ c, caller }: Call): number =>
  Math.max(caller.catalogVersion, versionAsked(c));

/** Returns the version in `X-Catalog-Version`; 0 if it is missing or invalid. */
export function versionAsked(c: Context<App>): number {
  const asked = Number(c.req.header('x-catalog-version'));
  return Number.isSafeInteger(asked) ? asked : 0;
}

/** A value cached like a catalogue read, for internal use. */
export interface CachedValue<T> {
  readonly key: string;
  /** Reads version and value in one batch. The value must survive a JSON round trip. */
  fill(from: TenantDatabase): Promise<Filled<T>>;
}

const values = new WeakMap<CachedBody, unknown>();

/**
 * Returns a value at `version` or newer, with the version it was read at: from memory, else KV, else one D1
 * batch. The value is shared between requests and must not be changed.
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
  // Only this fill writes under this key, so the type holds.
  return { ok: true, value: { version: found.version, value: value as T } };
}

/** The part of a read that {@link lookup} needs. */
type Lookup = Pick<CachedRead, 'key' | 'keep' | 'fill'>;

/** Returns the path and query of a URL. */
export const urlKey = (url: string): string => url.slice(url.indexOf('/', 8));

const nameOf = ({ caller }: CatalogReader, read: Pick<CachedRead, 'key'>, version: number): string =>
  `${caller.tenantId}:${version}:${read.key}`;

async function lookup(call: CatalogReader, read: Lookup, version: number): Promise<CachedBody | Failure> {
  if (version === NEWEST) {
    const { version: found, answer, revision } = await read.fill(databaseOf(call, 'primary'));
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
  // Other requests await it too, so it must outlive the request that started it.
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
  let filled = await read.fill(databaseOf(call, 'nearest'));
  if (filled.version < version) filled = await read.fill(databaseOf(call, 'primary'));
  if (!filled.answer.ok) return filled.answer.failure;
  const rendered = render(filled.version, filled.answer.value, filled.revision);
  if (read.keep === 'kv') {
    const put = env.CACHE.put(kvKey(rendered.version), JSON.stringify(rendered), { expirationTtl: KV_TTL_S });
    ctx.waitUntil(put.catch(() => undefined));
  }
  return keep(nameOf(call, read, rendered.version), rendered);
}

const databaseOf = (
  { env, caller: { tenantId } }: CatalogReader,
  from: 'primary' | 'nearest',
): TenantDatabase => ({ tenantId, db: database(env, tenantId, from) });

/** Serializes a value as the response body, with its entity tag. */
export function render(version: number, value: unknown, revision?: number): CachedBody {
  const body = JSON.stringify(value);
  return { version, etag: entityTag(body, revision), body };
}

/** Keeps a body in memory. Evicts the oldest entries while the total exceeds the limit. */
function keep(name: string, rendered: CachedBody): CachedBody {
  drop(name);
  memory.set(name, rendered);
  memoryLength += cost(name, rendered);
  for (const oldest of memory.keys()) {
    if (memoryLength <= MAX_MEMORY_LENGTH) break;
    drop(oldest);
  }
  return rendered;
}

function drop(name: string): void {
  const rendered = memory.get(name);
  if (!rendered) return;
  memory.delete(name);
  memoryLength -= cost(name, rendered);
}

const cost = (name: string, { body }: CachedBody): number => body.length + name.length + ENTRY_OVERHEAD;

/** Remembers the entry served for a URL. Evicts the oldest URL when the map is full. */
function remember(caller: Caller, address: string, entry: HotEntry): void {
  if (address.length > MAX_HOT_URL_LENGTH) return;
  const oldest = hot.size >= MAX_HOT_URLS ? hot.keys().next().value : undefined;
  if (oldest !== undefined) hot.delete(oldest);
  hot.set(hotKey({ tenantId: caller.tenantId, editor: isEditor(caller) }, address), entry);
}
