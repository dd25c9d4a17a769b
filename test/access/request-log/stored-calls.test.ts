import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { CallRecord } from '../../../src/access/index.ts';
import { batchOf } from '../../../src/access/request-log/call-record.ts';
import type { RequestLog } from '../../../src/index.ts';
import { hourOf } from '../../../src/insights/index.ts';
import { DAY, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { failStatements } from '../../support/faults/database.ts';
import { type World, world } from '../../support/world.ts';

/** What an application's request log holds, and what it must never hold. */

afterEach(() => vi.restoreAllMocks());

const nameOf = ({ tenantId, applicationId }: World) => ({ tenantId, applicationId });

/** The application whose calls the logs below count. */
let counted: World;

beforeAll(async () => {
  counted = await world();
});

/** A log that nothing else writes to. */
function objectOf() {
  const stub = env.REQUEST_LOG.getByName(crypto.randomUUID());
  return {
    stub,
    append: (calls: readonly CallRecord[]) =>
      stub.append(
        nameOf(counted),
        batchOf(calls, { start: hourOf(now()), calls: calls.length, clientErrors: 0, serverErrors: 0 }),
      ),
    find: (...asked: Parameters<RequestLog['find']>) => stub.find(...asked),
  };
}

const call = (at: number, more: object = {}) => ({
  at,
  method: 'GET',
  route: '/v1/products',
  status: 200,
  ms: 3,
  id: crypto.randomUUID(),
  ...more,
});

it('keeps the newest 1,000 calls, in the order of their times', async () => {
  const log = objectOf();
  const at = now() - 10_000;
  for (let batch = 0; batch < 5; batch++) {
    await log.append(Array.from({ length: 300 }, (_, n) => call(at + 2 * (batch * 300 + n))));
  }
  // From an isolate whose second began earlier.
  await log.append([call(at + 2_999)]);
  const { calls, total } = await log.find({}, { page: 1, limit: 2_000 });
  expect([calls.length, total]).toEqual([1_000, 1_000]);
  expect(calls.map((one) => one.at - at).slice(0, 4)).toEqual([2_999, 2_998, 2_996, 2_994]);
  expect(calls.at(-1)?.at).toBe(at + 1_002);
  const rows = await runInDurableObject(log.stub, (_, { storage }) =>
    storage.sql.exec<{ n: number }>('SELECT sum(size) AS n FROM batches').one(),
  );
  expect(rows.n).toBeLessThan(1_300 + 1);
});

it('filters by class of status, method and route, and lists what there is to filter by', async () => {
  const log = objectOf();
  const at = now();
  await log.append([
    call(at),
    call(at + 1, { status: 404, route: '/v1/cart/{token}' }),
    call(at + 2, { status: 503, method: 'POST' }),
    call(at + 3, { status: 304 }),
  ]);
  const times = async (filter: object, page = { page: 1, limit: 10 }) =>
    (await log.find(filter, page)).calls.map((one) => one.at - at);
  expect(await times({})).toEqual([3, 2, 1, 0]);
  expect(await times({ status: '4xx' })).toEqual([1]);
  expect(await times({ status: '5xx', method: 'GET' })).toEqual([]);
  expect(await times({ method: 'GET' })).toEqual([3, 1, 0]);
  expect(await times({ route: '/v1/products' }, { page: 2, limit: 1 })).toEqual([2]);
  expect(await log.find({ status: '2xx' }, { page: 1, limit: 1 })).toMatchObject({
    total: 1,
    methods: ['GET', 'POST'],
    routes: ['/v1/cart/{token}', '/v1/products'],
  });
});

it('forgets calls after 30 days without new ones', async () => {
  const log = objectOf();
  await log.append([call(now())]);
  moveClock(20 * DAY);
  await log.append([call(now())]);
  moveClock(10 * DAY + 1);
  expect(await runDurableObjectAlarm(log.stub)).toBe(true);
  expect((await log.find({}, { page: 1, limit: 10 })).total).toBe(1);
  moveClock(20 * DAY);
  expect(await runDurableObjectAlarm(log.stub)).toBe(true);
  expect((await log.find({}, { page: 1, limit: 10 })).total).toBe(0);
  expect(await runDurableObjectAlarm(log.stub)).toBe(false);
});

it('keeps new calls after it has forgotten a full log', async () => {
  const log = objectOf();
  await log.append(Array.from({ length: 1_000 }, () => call(now())));
  moveClock(31 * DAY);
  expect(await runDurableObjectAlarm(log.stub)).toBe(true);
  await log.append([call(now())]);
  expect((await log.find({}, { page: 1, limit: 10 })).total).toBe(1);
});

it('counts and forgets calls by its alarm, however long the database fails', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const log = objectOf();
  await log.append([call(now())]);
  moveClock(31 * DAY);
  const heal = failStatements(/call_hours/);
  // An alarm that rejects is given up after six retries.
  expect(await runDurableObjectAlarm(log.stub)).toBe(true);
  expect(warn).toHaveBeenCalledWith(expect.stringMatching(/"calls_not_counted","tenant":\d/));
  expect((await log.find({}, { page: 1, limit: 10 })).total).toBe(0);
  heal();
  expect(await runDurableObjectAlarm(log.stub)).toBe(true);
  expect(await runDurableObjectAlarm(log.stub)).toBe(false);
});

it('gives up counts once the database would not keep them', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const log = objectOf();
  await log.append([call(now())]);
  const heal = failStatements(/call_hours/);
  moveClock(31 * DAY);
  await runDurableObjectAlarm(log.stub);
  moveClock(2 * DAY);
  expect(await runDurableObjectAlarm(log.stub)).toBe(true);
  expect(await runDurableObjectAlarm(log.stub)).toBe(false);
  heal();
});

it('continues behind a call that is no longer kept', async () => {
  const { append, find } = objectOf();
  const calls = [1_000, 2_000, 3_000].map((at) => call(now() - at));
  await append([...calls].reverse());
  const [first, , last] = calls;
  const after = async (at: number, id: string) =>
    (await find({}, { page: 2, limit: 1, after: { at, id } })).calls.map((one) => one.id);
  expect(await after((first?.at ?? 0) - 1_500, crypto.randomUUID())).toEqual([last?.id]);
  expect(await after((last?.at ?? 0) - 1, crypto.randomUUID())).toEqual([]);
});

it('continues behind the newest of two calls of the same millisecond', async () => {
  const { append, find } = objectOf();
  const at = now() - 1_000;
  const [one, other] = [call(at), call(at)];
  await append([one, other]);
  const [newest] = (await find({}, { page: 1, limit: 1 })).calls;
  const { calls } = await find({}, { page: 2, limit: 1, after: newest ?? null });
  expect([newest?.id, calls[0]?.id].sort()).toEqual([one.id, other.id].sort());
});
