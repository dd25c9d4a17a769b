import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MINUTE } from '../../../src/kernel/core/clock.ts';
import { random } from '../../support/seeded-random.ts';
import { type Conditions, Model } from './limiter-model.ts';

/** The most requests that were admitted in any 60 seconds. */
function densest(admitted: readonly number[]): number {
  const sorted = [...admitted].sort((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [last, at] of sorted.entries()) {
    while (at - (sorted[first] ?? at) >= MINUTE) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

const seed = fc.integer();
const anyLimit = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 20, max: 700 }));

/** Requests that come in bursts and pauses, at about `busy` times the limit; some of them reads, or none. */
function traffic(given: Conditions, from: number, busy: number, reads: boolean): Model {
  const chance = random(from);
  const model = new Model(given, chance);
  const end = model.now + 4 * MINUTE;
  const gap = MINUTE / (given.limit * busy);
  let burst = 1;
  const next = () => {
    if (model.now >= end) return;
    if (chance() < 0.01) burst = chance() < 0.3 ? 0.02 : chance() * 2;
    model.request(reads && chance() < 0.7, () => undefined);
    model.later((-Math.log(1 - chance()) * gap) / burst, next);
  };
  next();
  model.runUntil(end + 10_000);
  return model;
}

const anyCase = fc.record<Conditions>({
  limit: anyLimit,
  isolates: fc.integer({ min: 1, max: 20 }),
  latency: fc.oneof(fc.constant(5), fc.integer({ min: 0, max: 2_500 })),
  lost: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
  evicted: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 })),
  outages: fc.boolean(),
});
const anyBusy = fc.double({ min: 0.2, max: 4, noNaN: true });

it('never admits more than the limit in 60 seconds, whichever calls are slow, lost or evicted', () => {
  fc.assert(
    fc.property(anyCase, anyBusy, seed, (given, busy, from) => {
      const { admitted } = traffic(given, from, busy, false);
      expect(densest(admitted)).toBeLessThanOrEqual(given.limit);
    }),
    { numRuns: 150 },
  );
});

it('never admits more than the limit when one isolate continues alone through outages', () => {
  fc.assert(
    fc.property(anyCase, anyBusy, seed, (any, busy, from) => {
      const given = { ...any, isolates: 1, evicted: 0, outages: true };
      expect(densest(traffic(given, from, busy, true).admitted)).toBeLessThanOrEqual(given.limit);
    }),
    { numRuns: 150 },
  );
});

it('exceeds the limit during outages by at most the fallback allowance of each isolate', () => {
  fc.assert(
    fc.property(anyCase, anyBusy, seed, (any, busy, from) => {
      const given = { ...any, evicted: 0, outages: true };
      const alone = Math.max(1, Math.floor(given.limit / 10));
      const most = given.limit + given.isolates * alone;
      expect(densest(traffic(given, from, busy, true).admitted)).toBeLessThanOrEqual(most);
    }),
    { numRuns: 100 },
  );
});

/** Runs one client with `times` the limit's rate, about evenly; returns its share of the limit. */
function greed(model: Model, chance: () => number, limit: number, times: number, minutes: number): number {
  const end = model.now + minutes * MINUTE;
  const ask = (): void => {
    if (model.now >= end) return;
    model.request(true, () => undefined);
    model.later(((0.5 + chance()) * MINUTE) / (limit * times), ask);
  };
  ask();
  model.runUntil(end);
  return model.admitted.length / (limit * minutes);
}

it.each([1, 4, 25])('gives one busy client 95 % of the limit through %i isolates', (isolates) => {
  const times = fc.double({ min: 1.2, max: 20, noNaN: true });
  const limits = fc.oneof(fc.constantFrom(600, 1_200, 6_000), fc.integer({ min: 60, max: 600 }));
  fc.assert(
    fc.property(limits, times, fc.integer({ min: 1, max: 50 }), seed, (limit, busy, latency, from) => {
      const chance = random(from);
      const given = { limit, isolates, latency, lost: 0, evicted: 0, outages: false };
      const got = greed(new Model(given, chance), chance, limit, busy, 5);
      expect(got).toBeGreaterThanOrEqual(0.95);
    }),
    { numRuns: 25 },
  );
});

it('asks the limiter for at most 5 of 100 requests when one isolate serves 100 a second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), seed, (latency, from) => {
      const chance = random(from);
      const given = { limit: 6_000, isolates: 1, latency, lost: 0, evicted: 0, outages: false };
      const model = new Model(given, chance);
      greed(model, chance, 6_000, 0.99, 1);
      expect(model.calls / model.admitted.length).toBeLessThanOrEqual(0.05);
    }),
    { numRuns: 20 },
  );
});
