import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inTurn, type Kind, learnSize } from '../../../src/kernel/async/memory-turns.ts';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';

const MI = 1024 * 1024;

let running: number[] = [];
let end = () => {};
let ended = Promise.resolve();
let last = 1_000_000;
/** Returns a kind of a new tenant's responses. */
const kindOf = (tenantId = ++last): Kind => ({ tenantId, name: '/v1/products' });

beforeEach(() => {
  running = [];
  ({ promise: ended, resolve: end } = Promise.withResolvers<void>());
});
afterEach(() => {
  end();
  moveClock(MINUTE);
});

/** Starts responses at once, which end with {@link end}. Returns them once those that may run are running. */
async function start(kind: Kind, count: number) {
  const made = Array.from({ length: count }, () =>
    inTurn(kind, async () => {
      running.push(kind.tenantId);
      await ended;
    }),
  );
  await scheduler.wait(30);
  return Promise.all(made);
}

const startedOf = ({ tenantId }: Kind): number => running.filter((one) => one === tenantId).length;

it('makes small responses all at once', async () => {
  const kind = kindOf();
  learnSize(kind, 10_000);
  const made = start(kind, 100);
  await scheduler.wait(5);
  expect(startedOf(kind)).toBe(100);
  end();
  await made;
});

it('makes four at once while their size is not known, then the others', async () => {
  const kind = kindOf();
  const made = start(kind, 10);
  await scheduler.wait(30);
  expect(startedOf(kind)).toBe(4);
  end();
  await made;
  expect(startedOf(kind)).toBe(10);
});

it.each([
  [8 * MI, 1, 3],
  [3 * MI, 2, 8],
  [30 * MI, 1, 1],
])('makes those of %i characters in turn: of a tenant %i at once, %i of all', async (size, own, all) => {
  const kinds = Array.from({ length: 9 }, () => kindOf());
  for (const kind of kinds) learnSize(kind, size);
  const made = kinds.map((kind) => start(kind, 3));
  await scheduler.wait(30);
  expect(Math.max(...kinds.map(startedOf))).toBe(own);
  expect(running).toHaveLength(all);
  end();
  await Promise.all(made);
  expect(running).toHaveLength(27);
});

it('makes large ones in turn also after a small one of their kind', async () => {
  const kind = kindOf();
  for (const size of [8 * MI, 10]) learnSize(kind, size);
  const made = start(kind, 2);
  await scheduler.wait(5);
  expect(startedOf(kind)).toBe(1);
  end();
  await made;
});

it('serves a tenant that waits before the next of one that had its turn, who asked earlier', async () => {
  // A turn that was not looked for in 0.3 seconds counts as given up.
  stopClock();
  const [greedy, patient] = [kindOf(), kindOf()];
  learnSize(greedy, 24 * MI);
  const order: number[] = [];
  const make = ({ tenantId }: Kind) =>
    inTurn({ tenantId, name: '/v1/products' }, async () => {
      order.push(tenantId);
      await scheduler.wait(20);
    });
  const asked = [make(greedy), make(greedy), make(greedy)];
  await scheduler.wait(5);
  await Promise.all([...asked, make(patient)]);
  const [a, b] = [greedy.tenantId, patient.tenantId];
  expect(order).toEqual([a, b, a, a]);
});

it('holds nobody up for a request that was cancelled while it waited', async () => {
  const [greedy, other] = [kindOf(), kindOf()];
  for (const kind of [greedy, other]) learnSize(kind, 24 * MI);
  await inTurn(other, async () => undefined);
  const first = start(greedy, 1);
  await scheduler.wait(5);
  const wait = vi.spyOn(scheduler, 'wait').mockReturnValueOnce(new Promise(() => {}));
  void inTurn(other, async () => undefined);
  wait.mockRestore();
  end();
  await first;
  moveClock(1_000);
  expect(await inTurn(greedy, async () => 'made')).toBe('made');
});

it('gives up a turn that does not come in five seconds', async () => {
  const kind = kindOf();
  learnSize(kind, 8 * MI);
  const first = start(kind, 1);
  await scheduler.wait(5);
  const second = inTurn(kind, async () => 'made');
  moveClock(5_001);
  expect(await second).toBeNull();
  end();
  await first;
});

it('ends the turn of a cancelled request, which never does, after fifteen seconds', async () => {
  const kind = kindOf();
  learnSize(kind, 8 * MI);
  void inTurn(kind, () => new Promise(() => {}));
  moveClock(15_001);
  expect(await inTurn(kind, async () => 'made')).toBe('made');
});

it('ends no turn early because of the time that it was waited for', async () => {
  const kind = kindOf();
  learnSize(kind, 8 * MI);
  const [began, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = start(kind, 1);
  const second = inTurn(kind, () => {
    began.resolve();
    return done.promise;
  });
  moveClock(4_000);
  end();
  await Promise.all([first, began.promise]);
  moveClock(12_000);
  const third = inTurn(kind, async () => running.push(kind.tenantId));
  expect(startedOf(kind)).toBe(1);
  done.resolve();
  await Promise.all([second, third]);
  expect(startedOf(kind)).toBe(2);
});

it('ends the turn of a response that fails', async () => {
  const kind = kindOf();
  learnSize(kind, 8 * MI);
  await expect(inTurn(kind, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(await inTurn(kind, async () => 'made')).toBe('made');
});
