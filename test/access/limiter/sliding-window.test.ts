import { expect, it } from 'vitest';
import { SlidingWindow } from '../../../src/access/limiter/sliding-window.ts';

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

it('has nothing to store while nothing changes', () => {
  const window = new SlidingWindow();
  window.settle([{ id: 1, usage: [[1, 1]] }]);
  window.settleUnleased([], AT);
  expect(window.grant({ waiting: 1, ahead: 0 }, { limit: 0, at: AT, id: 1 })).toBeNull();
  expect(window.unsaved()).toBeNull();
  window.grant({ waiting: 1, ahead: 0 }, { limit: 1, at: AT, id: 1 });
  expect(window.unsaved()).not.toBeNull();
  expect(window.unsaved()).toBeNull();
});
