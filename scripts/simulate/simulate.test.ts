import assert from 'node:assert/strict';
import { test } from 'node:test';
import { random } from '../../test/support/seeded-random.ts';
import { readBudgets } from './budgets.ts';
import { groupsOf, PUBLISHED, tripMs } from './day.ts';
import { playQueue } from './queue.ts';
import { playDay } from './walls.ts';
import { CALLS_PER_SESSION, shareOfHour, tenantsOf } from './workload.ts';

const JOBS = 400_000;
const near = (value: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(value / expected - 1) < tolerance, `${value} is not ${expected} ± ${tolerance * 100} %`);

test('a queue waits as the theory of M/G/1 says', () => {
  // Pollaczek and Khinchine: the mean wait is λ E[S²] / 2 (1 − ρ).
  for (const utilization of [0.3, 0.6, 0.85]) {
    const kinds = [
      { perSecond: utilization * 250, ms: 1 },
      { perSecond: utilization * 250, ms: 3 },
    ];
    const played = playQueue(kinds, JOBS, random(7));
    const meanSquare = (1 + 9) / 2;
    const rate = (utilization * 500) / 1_000;
    near(played.utilization, utilization, 1e-9);
    near(played.meanWait, (rate * meanSquare) / (2 * (1 - utilization)), 0.05);
    assert.ok(played.p99 > played.meanWait);
  }
});

test('a queue that can not keep up has no p99', () => {
  const { p99 } = playQueue([{ perSecond: 1_000, ms: 1 }], 100, random(1));
  assert.equal(p99, Number.POSITIVE_INFINITY);
});

test('groups follow lone calls one by one, and are bounded by their duration and their size', () => {
  near(groupsOf(1), 1, 0.02);
  near(groupsOf(10_000), 100, 0.02);
  assert.equal(groupsOf(1e6), 5_000);
});

test('every operation of a session has a budget', () => {
  const budgets = readBudgets();
  for (const name of Object.keys(CALLS_PER_SESSION)) {
    const budget = budgets.get(name);
    assert.ok(budget, name);
    for (const value of Object.values(budget)) assert.ok(Number.isFinite(value), name);
    assert.ok(tripMs(budget, PUBLISHED) >= PUBLISHED.tripMs, name);
  }
});

test('a day has all of its sessions, and larger tenants more of them', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => shareOfHour(hour));
  near(
    hours.reduce((sum, share) => sum + share, 0),
    1,
    1e-9,
  );
  const tenants = tenantsOf(100, 2);
  near(
    tenants.reduce((sum, { sessionsPerDay }) => sum + sessionsPerDay, 0),
    100 * 300 * 2,
    1e-9,
  );
  near((tenants[0]?.sessionsPerDay ?? 0) / (tenants[9]?.sessionsPerDay ?? 0), 10, 1e-9);
});

test('a day needs more shards at a larger scale, the same for the same seed, and its walls are in order', () => {
  const simulation = { tenants: 300, seed: 3, budgets: readBudgets() };
  const [small, large] = [playDay(simulation, 1), playDay(simulation, 100)];
  assert.ok(large.needed.shards > small.needed.shards);
  assert.deepEqual(playDay(simulation, 1).needed, small.needed);
  const shares = large.walls.map(({ share }) => share);
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => b - a),
  );
});
