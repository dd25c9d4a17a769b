import { BoundedMap } from '../core/bounded-map.ts';
import type { AccessRequirement } from '../core/scopes.ts';
import type { Caller } from '../http/context.ts';
import { keptBody } from './body-memory.ts';
import type { CachedBody } from './cached-body.ts';

/** The most URLs for which an isolate remembers the cache entry, and the longest such URL. */
const MAX_HOT_URLS = 10_000;
const MAX_HOT_URL_LENGTH = 512;

/** The name of the last response to a URL in the isolate's memory, the access it requires, and its route. */
interface HotEntry {
  readonly name: string;
  readonly need: AccessRequirement;
  /** The pattern of the endpoint's path. */
  readonly route: string;
}

/** Tenant, audience and URL → the last response. */
const hot = new BoundedMap<string, HotEntry>(MAX_HOT_URLS);

/** Who reads: a caller with `catalog:write` (an editor) sees what others don't, such as metadata. */
export interface Audience {
  readonly tenantId: number;
  readonly editor: boolean;
}

/** Returns whether a caller sees what only `catalog:write` may see. The cache key of a read must tell both apart. */
export const isEditor = ({ scopes }: Pick<Caller, 'scopes'>): boolean => scopes.has('catalog:write');

/** Returns the audience that a caller belongs to. */
export const audienceOf = (caller: Pick<Caller, 'tenantId' | 'scopes'>): Audience => ({
  tenantId: caller.tenantId,
  editor: isEditor(caller),
});

/** Returns the path and query of a URL. */
export const urlKey = (url: string): string => url.slice(url.indexOf('/', 8));

const hotKey = ({ tenantId, editor }: Audience, address: string): string =>
  `${tenantId}${editor ? '+' : ''}${address}`;

/**
 * Returns this isolate's last response to a URL (path and query) for an audience, the access it requires, and
 * its route.
 */
export function hotEntry(
  audience: Audience,
  address: string,
): { readonly rendered: CachedBody; readonly need: AccessRequirement; readonly route: string } | null {
  const entry = hot.get(hotKey(audience, address));
  const rendered = entry && keptBody(entry.name);
  return rendered ? { rendered, need: entry.need, route: entry.route } : null;
}

/** Remembers the entry served for a URL (path and query). Evicts the oldest URL when the map is full. */
export function rememberUrl(audience: Audience, address: string, entry: HotEntry): void {
  if (address.length > MAX_HOT_URL_LENGTH) return;
  hot.set(hotKey(audience, address), entry);
}
