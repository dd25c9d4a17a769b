import { now } from '../kernel/core/clock.ts';

/** Wrong tokens that a network may send at once; one more is allowed after each interval. */
const MAX_BURST = 10;
const INTERVAL_MS = 30_000;
/** The most networks that an isolate remembers; the oldest are evicted. */
const MAX_NETWORKS = 10_000;

/**
 * When each network's wrong tokens have expired (ms since the epoch). Kept only in the isolate's memory: no
 * request costs storage, and the secret is too long to be guessed at this rate times the number of isolates.
 */
const expirations = new Map<string, number>();

/**
 * Returns how long (ms) a network must wait before its token is checked. 0 for the unknown network (""),
 * since throttling it would also lock out the super-admin.
 */
export const adminThrottleDelay = (network: string): number =>
  Math.max(0, (expirations.get(network) ?? 0) + INTERVAL_MS - MAX_BURST * INTERVAL_MS - now());

/** Counts a wrong token. */
export function recordWrongAdminToken(network: string): void {
  if (network === '') return;
  const until = Math.max(expirations.get(network) ?? 0, now()) + INTERVAL_MS;
  expirations.delete(network);
  const oldest = expirations.size >= MAX_NETWORKS ? expirations.keys().next().value : undefined;
  if (oldest !== undefined) expirations.delete(oldest);
  expirations.set(network, until);
}

/** Clears a network's wrong tokens after a correct one. */
export const clearWrongAdminTokens = (network: string): void => void expirations.delete(network);
