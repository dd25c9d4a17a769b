import type { Call } from './call.ts';
import { sha256 } from './crypto.ts';
import { type Database, database } from './database.ts';
import type { Failure } from './errors.ts';
import type { Result } from './result.ts';
import type { Feature, Scope } from './scopes.ts';

/** How long (s) KV keeps an entry. Entries never change, so this only bounds how much is stored. */
const KV_TTL = 3600;
/** How many characters of bodies an isolate keeps in memory. */
const MEMORY = 16_000_000;

/** A body as it was rendered at one catalogue version; never changed afterwards. */
export interface Rendered {
  readonly version: number;
  /** A strong entity tag (RFC 9110, 8.8.3) of the body. */
  readonly etag: string;
  readonly body: string;
}

/** What a fill read: the version and the answer from one batch. */
export interface Filled {
  readonly version: number;
  readonly answer: Result<unknown>;
}

/** A read of the catalogue that may be answered from memory or KV. */
export interface CachedRead {
  /** Names the answer within the tenant, canonically: the same question has the same key. */
  readonly key: string;
  readonly need: { readonly scope: Scope; readonly feature?: Feature };
  /** `memory` for what has too many questions to be worth storing, such as free text. */
  readonly keep: 'kv' | 'memory';
  /** Answers for the whole address, so that the next request of the same URL needs no validation. */
  readonly hot: boolean;
  /** Reads version and rows in one batch. */
  fill(db: Database): Promise<Filled>;
}

const memory = new Map<string, Rendered>();
let kept = 0;
const filling = new Map<string, Promise<Rendered | Failure>>();
const hot = new Map<string, { name: string; need: CachedRead['need'] }>();

/** What this isolate last answered to a URL of this tenant (path and query), and what it took to see it. */
export function hotEntry(tenantId: number, address: string) {
  const entry = hot.get(`${tenantId}${address}`);
  // Only the name is kept here, so that bodies are counted, and dropped, in one place.
  const rendered = entry && memory.get(entry.name);
  return rendered && { rendered, need: entry.need };
}

/**
 * Answers a catalogue read at the lease's version or the one that `X-Catalog-Version` asks for,
 * whichever is newer: from memory, else KV, else one D1 batch. Entries are stored under the version that
 * the batch read, so neither a lagging replica nor a made-up version can pin something stale.
 */
export async function cachedRead(call: Call, read: CachedRead): Promise<Response | Result<never>> {
  const { c, caller } = call;
  const asked = Number(c.req.header('x-catalog-version'));
  const wanted = Math.max(caller.catalogVersion, Number.isSafeInteger(asked) ? asked : 0);
  let found = await lookup(call, read, wanted);
  // Where the read ran beside the limiter's call, the lease may have brought a newer version.
  const admitted = await c.get('admitted');
  if (admitted && 'version' in found && admitted.catalogVersion > found.version) {
    found = await lookup(call, read, admitted.catalogVersion);
  }
  if (!('version' in found)) return { ok: false, failure: found };
  if (read.hot) {
    const name = nameOf(caller.tenantId, found.version, read.key);
    remember(hot, `${caller.tenantId}${addressOf(c.req.url)}`, { name, need: read.need });
  }
  return respond(call, found);
}

const nameOf = (tenantId: number, version: number, key: string) => `${tenantId}:${version}:${key}`;

/** Path and query of a URL. */
export const addressOf = (url: string): string => url.slice(url.indexOf('/', 8));

/** Whether `If-None-Match` names this entity tag (RFC 9110, 13.1.2: weak comparison, or "*"). */
export const matches = (header: string | null | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false;

/** The headers of a rendered answer. */
export const renderedHeaders = ({ etag, version }: Rendered) => ({
  ETag: etag,
  'X-Catalog-Version': String(version),
  'Cache-Control': 'private, no-cache',
});

function respond({ c }: Call, rendered: Rendered): Response {
  for (const [name, value] of Object.entries(renderedHeaders(rendered))) c.header(name, value);
  if (matches(c.req.header('if-none-match'), rendered.etag)) return c.body(null, 304);
  return c.body(rendered.body, 200, { 'Content-Type': 'application/json' });
}

async function lookup(call: Call, read: CachedRead, version: number): Promise<Rendered | Failure> {
  const { tenantId } = call.caller;
  const name = nameOf(tenantId, version, read.key);
  const known = memory.get(name);
  if (known) return known;
  const shared = filling.get(name);
  if (shared) return shared;
  const fresh = load(call, read, version).finally(() => filling.delete(name));
  filling.set(name, fresh);
  // Others wait for it too, so it has to outlive the request that began it.
  call.ctx.waitUntil(fresh.catch(() => undefined));
  return fresh;
}

async function load(call: Call, read: CachedRead, version: number): Promise<Rendered | Failure> {
  const { env, ctx, caller } = call;
  const kvKey = (at: number) => `catalog:${caller.tenantId}:${at}:${sha256(read.key)}`;
  if (read.keep === 'kv') {
    const stored = await env.CACHE.get<Rendered>(kvKey(version), 'json').catch(() => null);
    if (stored) return keep(caller.tenantId, read.key, stored);
  }
  let filled = await read.fill(database(env, 'nearest'));
  if (filled.version < version) filled = await read.fill(database(env, 'primary'));
  if (!filled.answer.ok) return filled.answer.failure;
  const body = JSON.stringify(filled.answer.value);
  const rendered = { version: filled.version, etag: `"${sha256(body).slice(0, 27)}"`, body };
  if (read.keep === 'kv') {
    const put = env.CACHE.put(kvKey(rendered.version), JSON.stringify(rendered), { expirationTtl: KV_TTL });
    ctx.waitUntil(put.catch(() => undefined));
  }
  return keep(caller.tenantId, read.key, rendered);
}

function keep(tenantId: number, key: string, rendered: Rendered): Rendered {
  const name = nameOf(tenantId, rendered.version, key);
  if (!memory.has(name)) kept += rendered.body.length;
  memory.set(name, rendered);
  for (const [oldest, old] of memory) {
    if (kept <= MEMORY) break;
    memory.delete(oldest);
    kept -= old.body.length;
  }
  return rendered;
}

/** Puts an entry into a map of bounded size; the oldest goes. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  const oldest = map.size >= 10_000 ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
