import { BoundedMap } from '../core/bounded-map.ts';
import { isRecent, now } from '../core/clock.ts';

/**
 * How long (ms) a catalogue version counts as new. Everyone learns a version within two seconds, and what is asked
 * often is stored soon after.
 */
export const NEW_FOR_MS = 5_000;
/** The most tenants whose version an isolate remembers; the oldest are evicted. */
const MAX_TENANTS = 10_000;

/** A tenant's newest version that the isolate knows of, when a lease last named it, and an older one before (ms). */
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
 * has next to nothing of this one, and a location remembers for a minute that a key was missing, also once it is
 * stored: who asks too early keeps the others of the location from finding it.
 */
export function isNewVersion(tenantId: number, version: number): boolean {
  const last = known.get(tenantId);
  if (!last || version < last.version) return false;
  return isRecent(version > last.version ? last.namedAt : last.olderNamedAt, NEW_FOR_MS);
}
