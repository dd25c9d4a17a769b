import { expect, it } from 'vitest';
import { keptReports } from '../../../src/access/limiter/lease.ts';
import { SlidingWindow, second } from '../../../src/access/limiter/sliding-window.ts';

const AT = 1_700_000_000_000;

it('awaits the reports of 500 leases at most: the oldest of more count as used', () => {
  const window = new SlidingWindow();
  for (let id = 1; id <= 600; id++) window.grant({ waiting: 2, ahead: 0 }, { limit: 6_000, at: AT, id });
  const stored = window.unsaved();
  expect(stored?.open.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, n) => 101 + n));
  const loaded = new SlidingWindow(stored ?? undefined);
  expect(loaded.counted(AT)).toBe(1_200);
  // The first lease's unused permits are lost for a minute, the last one's come back.
  loaded.settle([
    { id: 1, usage: [] },
    { id: 600, usage: [] },
  ]);
  expect(loaded.counted(AT)).toBe(1_198);
});

it('forgets what has left the window, so that its row stays small', () => {
  const window = new SlidingWindow();
  for (let id = 1; id <= 300; id++) {
    const at = AT + id * 1_000;
    window.grant({ waiting: 1, ahead: 0 }, { limit: 6_000, at, id });
    if (id % 2 === 0) window.settle([{ id, usage: [[second(at), 1]] }]);
  }
  const { used = [], open = [] } = window.unsaved() ?? {};
  expect([used.length < 50, open.length < 50]).toEqual([true, true]);
});

it('counts no request for longer or shorter than a minute because of the second that an isolate reports', () => {
  const window = new SlidingWindow();
  const usage = [
    [0, 1],
    [second(AT) + 3_600, 1],
  ] as const;
  window.settleUnleased(usage, AT);
  window.grant({ waiting: 2, ahead: 0 }, { limit: 6_000, at: AT, id: 1 });
  window.settle([{ id: 1, usage }]);
  expect(window.counted(AT)).toBe(4);
  expect(window.counted(AT + 63_000)).toBe(0);
});

it('has something to store after each change, and nothing while nothing changes', () => {
  const window = new SlidingWindow();
  window.settle([{ id: 1, usage: [[1, 1]] }]);
  window.settleUnleased([], AT);
  expect(window.grant({ waiting: 1, ahead: 0 }, { limit: 0, at: AT, id: 1 })).toBeNull();
  expect(window.unsaved()).toBeNull();
  for (const change of [
    () => window.grant({ waiting: 1, ahead: 0 }, { limit: 1, at: AT, id: 1 }),
    () => window.settle([{ id: 1, usage: [] }]),
    () => window.settleUnleased([[second(AT), 1]], AT),
  ]) {
    change();
    expect(window.unsaved()).not.toBeNull();
    expect(window.unsaved()).toBeNull();
  }
});

it('keeps the latest 100 reports for a limiter that cannot be reached', () => {
  const reports = Array.from({ length: 150 }, (_, id) => ({ id, usage: [] }));
  expect(keptReports(reports)).toEqual(reports.slice(50));
});
