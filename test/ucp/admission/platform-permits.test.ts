/** What isolates admit of one platform together, with the real directory of a tenant. */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { moveClock, now } from '../../../src/kernel/core/clock.ts';
import { PlatformPermits } from '../../../src/ucp/admission/platform-permits.ts';
import type { PermitRequest } from '../../../src/ucp/platforms/platform-directory.ts';

const WINDOW_MS = 60_000;
/** After this time (ms) nothing counts any more. */
const ALL_FREE_MS = 66_000;
const LIMIT = 8;
const LIMITS = [
  { key: 'pool', most: 2 * LIMIT },
  { key: 'platform', most: LIMIT },
];

/** A directory of its own, whose next answer can be lost. */
class Directory {
  readonly calls: PermitRequest[] = [];
  readonly answers: Promise<unknown>[] = [];
  losesAnswer = false;
  readonly #stub = env.PLATFORM_DIRECTORY.getByName(crypto.randomUUID());

  /** What an isolate asks. */
  readonly source = {
    limits: LIMITS,
    lease: async (request: PermitRequest) => {
      this.calls.push(request);
      const answer = this.#stub.lease(request);
      this.answers.push(answer);
      const permits = await answer;
      if (this.losesAnswer) throw new Error('The connection was lost');
      return permits;
    },
    waitUntil: () => undefined,
  };
}

/** When a request was admitted: at some time between both (ms). */
interface Admission {
  readonly from: number;
  readonly to: number;
}

/** Returns the most requests that were surely admitted in one sliding window. */
const mostInWindow = (admissions: readonly Admission[]): number =>
  Math.max(
    0,
    ...admissions.map(
      ({ from: start }) =>
        admissions.filter(({ from, to }) => from >= start && to < start + WINDOW_MS).length,
    ),
  );

it('keep the limit in every sliding minute, also when answers are lost', async () => {
  // Three isolates, 1 to 25 bursts of 1 to 6 requests, up to 25 seconds apart; one answer in six is lost.
  const burst = fc.record({
    isolate: fc.integer({ min: 0, max: 2 }),
    gapMs: fc.integer({ min: 0, max: 25_000 }),
    requests: fc.integer({ min: 1, max: 6 }),
    losesAnswer: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(burst, { minLength: 1, maxLength: 25 }), async (bursts) => {
      const directory = new Directory();
      const isolates = [new PlatformPermits(), new PlatformPermits(), new PlatformPermits()];
      const admissions: Admission[] = [];
      let lost = 0;
      const take = async (permits: PlatformPermits | undefined) => {
        const from = now();
        const wait = await permits?.take(directory.source).catch(() => 'lost');
        if (wait === null) admissions.push({ from, to: now() });
        else if (wait === 'lost') lost += 1;
        else expect(wait).toBeLessThanOrEqual(ALL_FREE_MS);
      };
      for (const { isolate, gapMs, requests, losesAnswer } of bursts) {
        moveClock(gapMs);
        directory.losesAnswer = losesAnswer;
        await Promise.all(Array.from({ length: requests }, () => take(isolates[isolate])));
      }
      expect(mostInWindow(admissions)).toBeLessThanOrEqual(LIMIT);
      directory.losesAnswer = false;
      // A call that an isolate no longer waits for would count after the clock moved.
      await Promise.allSettled(directory.answers);
      moveClock(ALL_FREE_MS);
      admissions.length = 0;
      lost = 0;
      const fresh = new PlatformPermits();
      await Promise.all(Array.from({ length: LIMIT + 3 }, () => take(fresh)));
      // An answer that comes too late is lost as well.
      if (lost === 0) expect(admissions).toHaveLength(LIMIT);
    }),
    { numRuns: 25 },
  );
});

it('report a lost usage with the next call, and the profiles that were proved', async () => {
  const directory = new Directory();
  const permits = new PlatformPermits();
  permits.markVerified('https://agent.example.com/profile.json');
  directory.losesAnswer = true;
  await expect(permits.take(directory.source)).rejects.toThrow('The connection was lost');
  directory.losesAnswer = false;
  expect(await permits.take(directory.source)).toBeNull();
  expect(directory.calls.map(({ verified }) => verified)).toEqual([
    ['https://agent.example.com/profile.json'],
    ['https://agent.example.com/profile.json'],
  ]);
  moveClock(2_000);
  expect(await permits.take(directory.source)).toBeNull();
  expect(directory.calls.at(-1)).toMatchObject({
    verified: [],
    reports: [{ usage: [[expect.any(Number), 1]] }],
  });
});
