import { now } from '../kernel/core/clock.ts';

/** A network has so many wrong tokens at once, and one more in each interval. */
const BURST = 10;
const INTERVAL_MS = 30_000;
/** An isolate remembers so many networks; the oldest make room. */
const MAX_NETWORKS = 10_000;

/**
 * When each network's wrong tokens are worked off (ms). In the isolate's memory alone: the right token costs no
 * storage, a flood of wrong ones writes nothing, and the secret is far too long to be guessed at this pace
 * times the number of isolates.
 */
const worked = new Map<string, number>();

/**
 * Returns how long (ms) a network must wait before its token is looked at. An unknown network ("") never does:
 * the owner could not be told from a stranger there.
 */
export const adminWait = (network: string): number =>
  Math.max(0, (worked.get(network) ?? 0) + INTERVAL_MS - BURST * INTERVAL_MS - now());

/** Counts a wrong token. */
export function noteWrongAdmin(network: string): void {
  if (network === '') return;
  const until = Math.max(worked.get(network) ?? 0, now()) + INTERVAL_MS;
  worked.delete(network);
  const oldest = worked.size >= MAX_NETWORKS ? worked.keys().next().value : undefined;
  if (oldest !== undefined) worked.delete(oldest);
  worked.set(network, until);
}

/** Forgets a network's wrong tokens: the right one came from it. */
export const forgiveAdmin = (network: string): void => void worked.delete(network);
