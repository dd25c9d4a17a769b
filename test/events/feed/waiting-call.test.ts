import { afterEach, describe, expect, it, vi } from 'vitest';
import { EVENT_TYPES } from '../../../src/events/index.ts';
import { Tenant } from '../../../src/tenants/index.ts';
import { watchStatements } from '../../support/faults/database.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { admin, world } from '../../support/world.ts';
import { pullAll, writeEvents } from './pull-events.ts';

const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id);

describe('a waiting call', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Returns what waits until so many calls from now on wait at the tenant's object. */
  function waitingCalls() {
    const wait = vi.spyOn(Tenant.prototype, 'waitForEvents');
    return (count: number) => expect.poll(() => wait.mock.calls.length).toBe(count);
  }

  /** Counts the feed's own reads from now on; other work may go on in the background. */
  function feedReads() {
    let reads = 0;
    const restore = watchStatements((query) => {
      if (/ AS lost\b/.test(query)) reads += 1;
    });
    return () => {
      restore();
      return reads;
    };
  }

  it('returns as soon as an event of its types is committed, and asks the database nothing meanwhile', async () => {
    const shop = await world();
    const { cursor } = await pullAll(shop);
    await stockedProduct(shop, { sku: 'cup', stock: 9 });
    const begun = Date.now();
    const untilWaiting = waitingCalls();
    let over = false;
    const waiting = shop.get(`/events?types=stock.changed&wait=20&after=${cursor}`).finally(() => {
      over = true;
    });
    await untilWaiting(1);
    const count = feedReads();
    await scheduler.wait(1_500);
    expect([over, count()]).toEqual([false, 0]);
    // Another type wakes nobody.
    await shop.patch(`/products/${(await shop.get('/products')).body.data[0].id}`, { price: 11 });
    expect(over).toBe(false);
    await shop.post('/inventory/adjustments', { items: [{ sku: 'cup', delta: -1 }] });
    const woken = await waiting;
    expect(woken.body.data).toMatchObject([{ type: 'stock.changed', data: { sku: 'cup', new_stock: 8 } }]);
    expect(Date.now() - begun).toBeLessThan(19_000);
  });

  it('returns an empty page and its cursor when the time is over', async () => {
    const shop = await world();
    const empty = await shop.get('/events?wait=1');
    expect([empty.status, empty.body.data]).toEqual([200, []]);
    const [id] = await writeEvents(shop, 'stock.changed');
    expect(idsOf((await pullAll(shop, '', empty.body.meta.next_cursor)).events)).toEqual([id]);
  });

  it('finds an event whose wake was lost when the time is over', async () => {
    const shop = await world();
    const untilWaiting = waitingCalls();
    const waiting = shop.get('/events?wait=5');
    await untilWaiting(1);
    const [id] = await writeEvents(shop, 'stock.changed');
    expect(idsOf((await waiting).body.data)).toEqual([id]);
  });

  it('returns at once when ten of its application wait already', async () => {
    const shop = await world();
    const query = `types=${EVENT_TYPES.join(',')}&wait=20`;
    const untilWaiting = waitingCalls();
    let over = 0;
    const ten = Array.from({ length: 10 }, () => shop.get(`/events?${query}`).finally(() => (over += 1)));
    await untilWaiting(10);
    expect((await shop.get(`/events?${query}`)).body.data).toEqual([]);
    expect(over).toBe(0);
    await stockedProduct(shop, { sku: 'cup', stock: 9 });
    for (const { body } of await Promise.all(ten)) expect(body.data).not.toEqual([]);
  });

  it('ends with an error when its token was revoked meanwhile', async () => {
    const shop = await world();
    const app = await shop.register({ kind: 'integration' });
    const untilWaiting = waitingCalls();
    const waiting = shop.get('/events?wait=15', { token: app.token });
    await untilWaiting(1);
    await admin('PATCH', `/tenants/${shop.slug}/applications/${app.id}`, { status: 'passive' });
    // The time in which a revocation takes effect everywhere.
    await scheduler.wait(2_000);
    await stockedProduct(shop, { sku: 'cup', stock: 9 });
    expect((await waiting).status).toBe(401);
  });
});
