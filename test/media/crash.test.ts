import { describe, expect, it, vi } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { runCron } from '../support/cron.ts';
import { fetchWith, interceptBindings, MAIN_DATABASES } from '../support/faults/bindings.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { expectStatuses } from '../support/statuses.ts';
import { type World, world } from '../support/world.ts';
import { type Bytes, fetchImage, objectsOf, png, upload, uploaded } from './images.ts';

/** A Worker that dies at any call of D1 or R2, before or after it: no row without object, nothing for ever. */

const QUARTER = 16 * 60_000;
const AT_ONCE = /\.(prepare|bind)$/;

function mortal(nth: number, when: 'before' | 'after') {
  let calls = 0;
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new Error('D1_ERROR: Network connection lost.');
  };

  const one = interceptBindings([...MAIN_DATABASES, 'MEDIA'], (name, call) => {
    if (AT_ONCE.test(name)) return call();
    return (async () => {
      if (dead) throw new Error('dead');
      calls += 1;
      if (calls === nth && when === 'before') die();
      const answer = await call();
      if (calls >= nth && when === 'after') die();
      return answer;
    })();
  });
  return { env: one, died: () => dead };
}

const rowsOf = async ({ tenantId }: World) =>
  (
    await storeOf({ tenantId })
      .prepare('SELECT state, hash FROM media WHERE tenant_id = ?')
      .bind(tenantId)
      .all<{ state: string; hash: string }>()
  ).results;

const usedOf = async ({ tenantId }: World) => {
  const { results } = await storeOf({ tenantId })
    .prepare(
      "SELECT quota, total FROM quota_counts WHERE tenant_id = ? AND quota LIKE 'media%' ORDER BY quota",
    )
    .bind(tenantId)
    .all<{ quota: string; total: number }>();
  return results.map(({ total }) => total);
};

/** Asserts of each shop: every visible image has its object, and after half an hour there is nothing else. */
async function expectWhole(...shops: readonly World[]): Promise<void> {
  for (const shop of shops) {
    const stored = (await rowsOf(shop)).filter(({ state }) => state === 'stored');
    const visible = (await shop.get('/media')).body.data as { url: string }[];
    expect(visible).toHaveLength(stored.length);
    for (const { url } of visible) expect((await fetchImage(url, {}, 'HEAD')).status).toBe(200);
  }
  moveClock(QUARTER);
  await runCron();
  moveClock(QUARTER);
  await runCron();
  for (const shop of shops) {
    const rows = await rowsOf(shop);
    expect(rows.filter(({ state }) => state !== 'stored')).toEqual([]);
    expect(await objectsOf(shop)).toEqual(rows.map(({ hash }) => `${shop.slug}/${hash}`));
    const images = (await shop.get('/media')).body.data as { bytes: number }[];
    const bytes = images.reduce((sum, one) => sum + one.bytes, 0);
    expect(await usedOf(shop)).toEqual(rows.length + bytes > 0 ? [rows.length, bytes] : expect.anything());
  }
}

const whens = ['before', 'after'] as const;

describe.each(whens)('a Worker that dies %s', (when) => {
  // Each crash has a shop of its own, so that one cron serves them all: most of the cost is the cron.
  it('any call of an upload', async () => {
    for (const name of ['error', 'log'] as const) vi.spyOn(console, name).mockReturnValue();
    const crashed: { shop: World; bytes: Bytes }[] = [];
    for (let nth = 1; ; nth++) {
      const shop = await world();
      const bytes = png(8, 8);
      const worker = mortal(nth, when);
      const init = { body: bytes, headers: { 'content-type': 'image/png' } };
      const response = await fetchWith(worker.env, 'POST', '/v1/media', shop.token, init);
      await response.arrayBuffer();
      if (!worker.died()) {
        expect(response.status).toBe(201);
        break;
      }
      crashed.push({ shop, bytes });
    }
    expect(crashed.length).toBeGreaterThan(3);
    const shops = crashed.map(({ shop }) => shop);
    await expectWhole(...shops);
    for (const [n, { shop, bytes }] of crashed.entries()) {
      expect((await upload(shop, bytes)).status, `after call ${n + 1}`).toBe(201);
    }
    await expectWhole(...shops);
    for (const shop of shops) expect(await rowsOf(shop)).toHaveLength(1);
    vi.restoreAllMocks();
  });

  it('any call of a deletion', async () => {
    for (const name of ['error', 'warn', 'log'] as const) vi.spyOn(console, name).mockReturnValue();
    const crashed: { shop: World; id: number }[] = [];
    for (let nth = 1; ; nth++) {
      const shop = await world();
      const { id } = await uploaded(shop, png(8, 8));
      const worker = mortal(nth, when);
      const response = await fetchWith(worker.env, 'DELETE', `/v1/media/${id}`, shop.token);
      await response.arrayBuffer();
      if (!worker.died()) {
        expect(response.status).toBe(204);
        await expectWhole(shop);
        break;
      }
      crashed.push({ shop, id });
    }
    expect(crashed.length).toBeGreaterThan(2);
    const shops = crashed.map(({ shop }) => shop);
    await expectWhole(...shops);
    for (const [n, { shop, id }] of crashed.entries()) {
      expect([204, 404], `after call ${n + 1}`).toContain((await shop.delete(`/media/${id}`)).status);
    }
    await expectWhole(...shops);
    for (const shop of shops) expect(await rowsOf(shop)).toEqual([]);
    vi.restoreAllMocks();
  });
});

describe('an upload and a deletion of the same image at once', () => {
  it('leave a record with its object, or neither', async () => {
    const shop = await world();
    const bytes = png(10, 10);
    let { id } = await uploaded(shop, bytes);
    for (let round = 0; round < 10; round++) {
      const [made, , again] = await Promise.all([
        upload(shop, bytes),
        shop.delete(`/media/${id}`),
        upload(shop, bytes),
      ]);
      expectStatuses([made, again], 201, 409);
      for (const { url } of (await shop.get('/media')).body.data) {
        expect((await fetchImage(url, {}, 'HEAD')).status).toBe(200);
      }
      ({ id } = await uploaded(shop, bytes));
    }
    await expectWhole(shop);
  });

  it('wait for each other: an upload during a deletion is stored after it', async () => {
    const shop = await world();
    const bytes = png(11, 10);
    const first = await uploaded(shop, bytes);
    let during: Promise<unknown> = Promise.resolve();
    const slow = interceptBindings(['MEDIA'], (name, call) => {
      if (name !== 'MEDIA.delete') return call();
      return (async () => {
        during = upload(shop, bytes);
        await scheduler.wait(300);
        return call();
      })();
    });
    const deleted = await fetchWith(slow, 'DELETE', `/v1/media/${first.id}`, shop.token);
    expect(deleted.status).toBe(204);
    expect(await during).toMatchObject({ status: 201 });
    await expectWhole(shop);
    expect(await rowsOf(shop)).toHaveLength(1);
  });
});

it('an upload that a deletion overtook, and whose successor died, is not recorded without its object', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const shop = await world();
  const bytes = png(13, 10);
  const init = { body: bytes, headers: { 'content-type': 'image/png' } };
  const broken = interceptBindings(['MEDIA'], (name, call) => {
    if (name === 'MEDIA.put') return Promise.reject(new Error('R2 is away'));
    return call();
  });
  let puts = 0;
  const overtaken = interceptBindings(['MEDIA'], (name, call) => {
    if (name !== 'MEDIA.put' || ++puts > 1) return call();
    return (async () => {
      await call();
      const { id } = await uploaded(shop, bytes);
      expect((await shop.delete(`/media/${id}`)).status).toBe(204);
      expect((await fetchWith(broken, 'POST', '/v1/media', shop.token, init)).status).toBe(503);
    })();
  });
  const response = await fetchWith(overtaken, 'POST', '/v1/media', shop.token, init);
  expect([response.status, puts]).toEqual([201, 2]);
  await expectWhole(shop);
  expect(await rowsOf(shop)).toHaveLength(1);
  vi.restoreAllMocks();
});

it('a deleted image may be uploaded again at once, as a new record', async () => {
  const shop = await world();
  const bytes = png(12, 10);
  const first = await uploaded(shop, bytes);
  await shop.delete(`/media/${first.id}`);
  const second = await uploaded(shop, bytes);
  expect([second.url, second.id === first.id]).toEqual([first.url, false]);
  expect((await shop.get(`/media/${first.id}`)).status).toBe(404);
  await expectWhole(shop);
});
