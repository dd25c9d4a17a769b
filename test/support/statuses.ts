import { expect } from 'vitest';
import { hasLoggedError } from './runtime/log-scan.ts';
import type { Answer } from './world.ts';

/**
 * Expects each response of concurrent calls to have one of the statuses, or to be refused with 503 `unavailable` before
 * anything was done: on a busy machine the limiter may not respond in time.
 */
export function expectStatuses(answers: readonly Answer[], ...statuses: readonly number[]): void {
  for (const { status, body } of answers)
    if (status !== 503 || body.code !== 'unavailable')
      expect(statuses, JSON.stringify(body)).toContain(status);
}

/** How often a refused call is repeated: longer than any machine is busy. */
const MAX_REPEATS = 60;

/**
 * Makes a call of a test's set-up, and repeats it after its `Retry-After` while it is refused with 503 `unavailable`
 * before anything was done, as on a busy machine. Returns the first other response, a 503 after a logged error included.
 */
export async function admitted(call: () => Promise<Answer>): Promise<Answer> {
  let answer = await call();
  for (let n = 0; n < MAX_REPEATS && isRefusal(answer); n++) {
    await scheduler.wait(Number(answer.headers.get('retry-after')) * 1_000);
    answer = await call();
  }
  return answer;
}

const isRefusal = ({ status, headers, body }: Answer): boolean =>
  status === 503 &&
  body?.code === 'unavailable' &&
  headers.has('retry-after') &&
  !hasLoggedError(body.request_id);
