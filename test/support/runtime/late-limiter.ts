import { vi } from 'vitest';
import { LEASE_WAIT_MS } from '../../../src/access/limiter/sliding-window.ts';
import { RateLimiter } from '../../../src/index.ts';

/** A response, as far as it shows a refusal. */
interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly code?: unknown } | null;
}

/** How often a refused call is repeated, and the pause before it (ms): longer than any machine is busy. */
const MAX_REPEATS = 60;
const PAUSE_MS = 1_000;

/** When the limiter was last too late (ms): what arrives in the half second after that is refused at once. */
let lateAt = Number.NEGATIVE_INFINITY;

/**
 * Makes a call, and repeats it while it is refused with 503 because the limiter of a busy machine does not respond in
 * time: nothing was done then. Returns at once what is refused for a test's fault.
 */
export async function waitForLimiter<T extends Response>(call: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    const since = performance.now();
    const answer = await call();
    if (!isLimiters(answer) || !isLate(since) || repeats === MAX_REPEATS) return answer;
    await scheduler.wait(PAUSE_MS);
  }
}

/** Returns whether the limiter has refused a call: other responses show the limit of their application. */
const isLimiters = ({ status, headers, body }: Response): boolean =>
  status === 503 && body?.code === 'unavailable' && !headers.has('x-ratelimit-limit');

function isLate(since: number): boolean {
  if (vi.isMockFunction(RateLimiter.prototype.lease)) return false;
  const at = performance.now();
  if (at - since >= LEASE_WAIT_MS) lateAt = at;
  return at - lateAt < PAUSE_MS;
}
