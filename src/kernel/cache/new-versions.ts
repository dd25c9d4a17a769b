import { BoundedMap } from '../core/bounded-map.ts';
import { isRecent, now } from '../core/clock.ts';

/**
 * How long (ms) a catalogue version counts as new. Every isolate learns of a version within two seconds, and KV has
 * the frequent reads soon after.
 */
export const NEW_FOR_MS = 5_000;
/** The most tenants whose version an isolate remembers; the oldest are evicted. */
const MAX_TENANTS = 10_000;

/** The newest version of a tenant that the isolate knows of, and when leases last named it and an older one (ms). */
interface KnownVersion {
  readonly version: number;
  readonly namedAt: number;
  readonly olderNamedAt: number;
}

const known = new BoundedMap<number, KnownVersion>(MAX_TENANTS);

/** Records the catalogue version that a lease names as current. */
export function learnVersion(tenantId: number, version: number): void {
  const last = known.get(tenantId);
  // Leases of several tokens may arrive out of order.
  if (last && version < last.version) return;
  const olderNamedAt =
    last?.version === version ? last.olderNamedAt : (last?.namedAt ?? Number.NEGATIVE_INFINITY);
  known.set(tenantId, { version, namedAt: now(), olderNamedAt });
}

/**
 * Returns whether an older version was current less than {@link NEW_FOR_MS} ago, as far as the isolate knows. KV then
 * has hardly any entry of this one, and a location caches for a minute that a key is missing: a lookup that comes too
 * early hides an entry that is stored later from the whole location.
 */
export function isNewVersion(tenantId: number, version: number): boolean {
  const last = known.get(tenantId);
  if (!last || version < last.version) return false;
  return isRecent(version > last.version ? last.namedAt : last.olderNamedAt, NEW_FOR_MS);
}
