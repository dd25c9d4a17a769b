import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { world } from '../../support/world.ts';

/** So many rounds that V8 compiles what they run: compiled code makes other promises than interpreted code. */
const ROUNDS = 150;
const CROWD = 8;

it('resumes each request that waits for a shared lease in its own context, also in optimized code', async () => {
  const shop = await world({ plan: 'enterprise' });
  const seen: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // No lease is left: all wait for the limiter's answer to the first, and read their own bodies after that.
    moveClock(1_500);
    const answers = await Promise.all(
      Array.from({ length: CROWD }, () => shop.post('/cart', { currency: 1 })),
    );
    seen.push(...answers.map(({ status }) => status));
  }
  expect(seen).toEqual(Array.from({ length: ROUNDS * CROWD }, () => 422));
});
