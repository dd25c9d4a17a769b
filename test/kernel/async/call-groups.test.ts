import { expect, it } from 'vitest';
import { CallGroups } from '../../../src/kernel/async/call-groups.ts';

/** Returns groups that run when they are released, and what they were given. A call is its amount of work. */
function held({ maxCalls = 10, maxWork = 100, maxWaiting = 100, maxWaitingWork = 100 } = {}) {
  const groups: (readonly number[])[] = [];
  const gates: { open: () => void; fail: (error: Error) => void }[] = [];
  const calls = new CallGroups<number, number>(
    { maxCalls, maxWork, maxWaiting, maxWaitingWork, workOf: (work) => work },
    async (group) => {
      groups.push(group);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      gates.push({ open: resolve, fail: reject });
      await promise;
      return group;
    },
  );
  const add = (work = 1) => calls.add(work);
  return { add, groups, gate: (nth: number) => gates[nth] };
}

const sizes = (groups: readonly (readonly number[])[]) => groups.map((group) => group.length);

/** Lets everything run that waits for nothing else. */
const settle = () => scheduler.wait(0);

it('runs a lone call at once, and what arrives meanwhile as one group', async () => {
  const { add, groups, gate } = held();
  const first = add(1);
  expect(sizes(groups)).toEqual([1]);
  const others = [add(2), add(3)];
  expect(sizes(groups)).toEqual([1]);
  gate(0)?.open();
  expect(await first).toBe(1);
  await settle();
  expect(sizes(groups)).toEqual([1, 2]);
  gate(1)?.open();
  expect(await Promise.all(others)).toEqual([2, 3]);
  const last = add(4);
  expect(sizes(groups)).toEqual([1, 2, 1]);
  gate(2)?.open();
  expect(await last).toBe(4);
});

it('bounds a group by calls and by work, in the order of the calls', async () => {
  const { add, groups, gate } = held({ maxCalls: 3, maxWork: 6 });
  const all = [1, 2, 2, 1, 1, 5, 9, 1].map((work) => add(work));
  for (let nth = 0; nth < 5; nth++) {
    gate(nth)?.open();
    await settle();
  }
  expect(await Promise.all(all)).toEqual([1, 2, 2, 1, 1, 5, 9, 1]);
  expect(groups).toEqual([[1], [2, 2, 1], [1, 5], [9], [1]]);
});

it('refuses calls beyond those that may wait', async () => {
  const { add, gate } = held({ maxWaiting: 1 });
  const [running, waiting] = [add(), add()];
  expect(await add()).toBeNull();
  gate(0)?.open();
  await running;
  await settle();
  gate(1)?.open();
  expect(await waiting).toBe(1);
});

it('refuses calls whose work is too much beside what waits, and none for its own work alone', async () => {
  const { add, groups, gate } = held({ maxWaitingWork: 5 });
  const running = add();
  const large = add(9);
  expect(await add()).toBeNull();
  gate(0)?.open();
  await running;
  await settle();
  const waiting = [add(3), add(2)];
  expect(await add()).toBeNull();
  gate(1)?.open();
  expect(await large).toBe(9);
  await settle();
  gate(2)?.open();
  expect(await Promise.all(waiting)).toEqual([3, 2]);
  expect(groups).toEqual([[1], [9], [3, 2]]);
});

it('fails the calls of a group that throws, and no others', async () => {
  const { add, gate } = held();
  const first = add();
  const second = add(2);
  gate(0)?.fail(new Error('down'));
  await expect(first).rejects.toThrow('down');
  await settle();
  gate(1)?.open();
  expect(await second).toBe(2);
});

it('fails a call of which the group returns no answer', async () => {
  const limits = { maxCalls: 10, maxWork: 100, maxWaiting: 100, maxWaitingWork: 100, workOf: () => 1 };
  const calls = new CallGroups<number, number>(limits, async () => []);
  await expect(calls.add(1)).rejects.toThrow('too few answers');
});
