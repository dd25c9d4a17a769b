import type { Context } from 'hono';
import { shareable } from '../async/shareable-promise.ts';
import { isRecent, MINUTE, now } from '../core/clock.ts';
import type { Failure } from '../core/errors.ts';
import type { Result } from '../core/result.ts';
import type { AccessRequirement } from '../core/scopes.ts';
import { sha256 } from '../crypto/crypto.ts';
import { database, type ReadFrom } from '../data/database.ts';
import { newestDatabase, type TenantDatabase } from '../data/tenant-context.ts';
import type { App, Call, CatalogReader, Reply } from '../http/context.ts';
import { keepBody, keptBody } from './body-memory.ts';
import { type CachedBody, entityTag } from './cached-body.ts';
import { audienceOf, rememberUrl, urlKey } from './hot-urls.ts';
import { isNewVersion } from './new-versions.ts';

/**
 * Format of the KV entries, and part of every key because entries outlive a deploy. A digest of the schemas
 * of all cached bodies; test/kernel/cache/cached-body.test.ts fails when a schema changes without it.
 */
export const CACHE_FORMAT = 'a19c8c38';
/** Lifetime of a KV entry in seconds. Entries never change, so this only bounds the storage. */
const KV_TTL_S = 3600;
/** Requests stop sharing a fill after this many ms: the request that started it may have been cancelled. */
const SHARED_FILL_MS = 5_000;

/**
 * How far (ms) a version, which is the time of a write, may be ahead of this clock: what clocks differ by. Neither a
 * replica nor a cache has a later one.
 */
const MAX_VERSION_LEAD_MS = MINUTE;

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
interface CachedRead {
  /** Cache key, unique within the tenant for each distinct read. */
  readonly key: string;
  readonly need: AccessRequirement;
  /** `memory` for reads that rarely repeat, such as free-text searches. */
  readonly keep: 'kv' | 'memory';
  /**
   * Lets the next request for the same URL skip validation. Only for responses that depend on nothing but
   * the URL, `need` and the audience.
   */
  readonly hot: boolean;
  /** Reads version and rows in one batch. */
  fill(from: TenantDatabase): Promise<Filled>;
}

/** A catalogue read from a source that follows the catalogue and may lag behind it, such as an index. */
interface FollowingRead extends Pick<CachedRead, 'key' | 'need'> {
  /** Reads the value, and the catalogue version that the source has reached. */
  fill(): Promise<Result<{ readonly version: number; readonly value: unknown }>>;
}

const filling = new Map<string, { since: number; rendered: Promise<CachedBody | Failure> }>();

/**
 * Serves a catalogue read at the lease's version or that of `X-Catalog-Version`, whichever is newer: from memory, else
 * KV (unless the version is new), else one D1 batch. Entries are stored under the version that the batch read, so
 * neither a lagging replica nor an invented version can pin stale data.
 */
export async function cachedRead(call: Call, read: CachedRead): Promise<Reply<never>> {
  const wanted = requestedVersion(call);
  const found = await lookup(call, read, wanted);
  if (!('version' in found)) return { ok: false, failure: found };
  if (read.hot && wanted !== NEWEST) rememberRead(call, read, found.version);
  return { ok: true, rendered: found };
}

/**
 * Serves a read from a source that may lag, from memory if the source had reached the version of {@link cachedRead}
 * before. A response of a source that lags is served once, and not kept.
 */
export async function followingRead(call: Call, read: FollowingRead): Promise<Reply<never>> {
  const wanted = requestedVersion(call);
  const known = keptBody(nameOf(call, read, wanted));
  if (known) return { ok: true, rendered: known };
  const found = await read.fill();
  if (!found.ok) return found;
  const { version, value } = found.value;
  const rendered = render(version, value);
  if (version >= wanted) {
    keepBody(nameOf(call, read, version), rendered);
    rememberRead(call, read, version);
  }
  return { ok: true, rendered };
}

/** Lets the next read of the same URL at this version skip routing and validation. */
function rememberRead(call: Call, read: Pick<CachedRead, 'key' | 'need'>, version: number): void {
  const { c, caller } = call;
  const entry = { name: nameOf(call, read, version), need: read.need, route: c.get('route') };
  rememberUrl(audienceOf(caller), urlKey(c.req.url), entry);
}

/** Returns the lowest catalogue version to serve: the lease's or that of `X-Catalog-Version`, if newer. */
export const requestedVersion = ({ c, caller }: Call): number =>
  Math.max(caller.catalogVersion, headerVersion(c));

/** Returns the version in `X-Catalog-Version`; 0 if it is missing or invalid. */
export function headerVersion(c: Context<App>): number {
  const version = Number(c.req.header('x-catalog-version'));
  return Number.isSafeInteger(version) ? version : 0;
}

/** A value cached like a catalogue read, for internal use. */
interface CachedValue<T> {
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
  return { ok: true, value: { version: found.version, value: parsedBody<T>(found) } };
}

/** Returns the parsed body, parsed once. Only one fill writes under each key, so the type holds. */
function parsedBody<T>(found: CachedBody): T {
  const value = values.get(found) ?? JSON.parse(found.body);
  values.set(found, value);
  return value as T;
}

/**
 * Returns the values of at most 100 keys that memory has at exactly this version, or else KV in one read, unless the
 * version is new. The caller reads the others in one batch and stores them with {@link storeValues}.
 */
export async function knownValues<T>(
  call: CatalogReader,
  keys: readonly string[],
  version: number,
): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  const missing = new Map<string, string>();
  for (const key of keys) {
    const known = keptBody(nameOf(call, { key }, version));
    if (known) found.set(key, parsedBody<T>(known));
    else missing.set(kvKeyOf(call, key, version), key);
  }
  if (missing.size === 0 || isNewVersion(call.caller.tenantId, version)) return found;
  const stored = await call.env.CACHE.get<CachedBody>([...missing.keys()], 'json').catch(() => null);
  for (const [kvKey, key] of missing) {
    const body = stored?.get(kvKey);
    if (body) found.set(key, parsedBody<T>(keepBody(nameOf(call, { key }, version), body)));
  }
  return found;
}

/** Stores values by key, as they were read at one version, for {@link cachedValue} and {@link knownValues}. */
export function storeValues(
  call: CatalogReader,
  version: number,
  entries: ReadonlyMap<string, unknown>,
): void {
  for (const [key, value] of entries) store(call, key, render(version, value));
}

function store(call: CatalogReader, key: string, rendered: CachedBody): CachedBody {
  call.ctx.waitUntil(putLater(call, key, rendered).catch(() => undefined));
  return keepBody(nameOf(call, { key }, rendered.version), rendered);
}

/** Stores a body in KV after the response, so that the response doesn't wait for it to be serialized and sent. */
async function putLater(call: CatalogReader, key: string, rendered: CachedBody): Promise<void> {
  await scheduler.wait(0);
  await call.env.CACHE.put(kvKeyOf(call, key, rendered.version), JSON.stringify(rendered), {
    expirationTtl: KV_TTL_S,
  });
}

/** The part of a read that {@link lookup} needs. */
type Lookup = Pick<CachedRead, 'key' | 'keep' | 'fill'>;

const kvKeyOf = ({ caller }: CatalogReader, key: string, version: number): string =>
  `catalog:${CACHE_FORMAT}:${caller.tenantId}:${version}:${sha256(key)}`;

const nameOf = ({ caller }: CatalogReader, read: Pick<CachedRead, 'key'>, version: number): string =>
  `${caller.tenantId}:${version}:${read.key}`;

async function lookup(call: CatalogReader, read: Lookup, version: number): Promise<CachedBody | Failure> {
  if (version === NEWEST) {
    const { version: found, answer, revision } = await read.fill(databaseOf(call, 'primary'));
    return answer.ok ? render(found, answer.value, revision) : answer.failure;
  }
  const name = nameOf(call, read, version);
  const known = keptBody(name);
  if (known) return known;
  const shared = filling.get(name);
  if (shared && isRecent(shared.since, SHARED_FILL_MS)) return shared.rendered;
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
  const newest = () => newestDatabase(call.env, call.caller.tenantId);
  const isAhead = version > now() + MAX_VERSION_LEAD_MS;
  if (read.keep === 'kv' && !isAhead && !isNewVersion(call.caller.tenantId, version)) {
    const kvKey = kvKeyOf(call, read.key, version);
    const stored = await call.env.CACHE.get<CachedBody>(kvKey, 'json').catch(() => null);
    if (stored) return keepBody(nameOf(call, read, stored.version), stored);
  }
  const nearest = databaseOf(call, { since: call.caller.bookmark });
  let filled = await read.fill(isAhead ? await newest() : nearest);
  // A replica lags, or the tenant has moved.
  if (filled.version < version && !isAhead) filled = await read.fill(await newest());
  if (!filled.answer.ok) return filled.answer.failure;
  const rendered = render(filled.version, filled.answer.value, filled.revision);
  if (read.keep === 'kv') return store(call, read.key, rendered);
  return keepBody(nameOf(call, read, rendered.version), rendered);
}

const databaseOf = ({ env, caller: { tenantId } }: CatalogReader, from: ReadFrom): TenantDatabase => ({
  tenantId,
  db: database(env, tenantId, from),
});

/** Serializes a value as the response body, with its entity tag. */
function render(version: number, value: unknown, revision?: number): CachedBody {
  const body = JSON.stringify(value);
  return { version, etag: entityTag(body, revision), body };
}
