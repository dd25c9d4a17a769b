import { expect } from 'vitest';
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
