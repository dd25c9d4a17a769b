import { afterEach, describe, expect, it, vi } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { interceptBindings } from '../../support/faults/bindings.ts';
import { searchOf, storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';
import { eventually, found, queue, withoutSearchMessages } from '../index-queue.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const simple = (name: string) => ({ name, type: 'simple', price: 10 });

const start = (shop: World) => ({ tenantId: shop.tenantId, rebuild: 'start' });

describe('rebuilds', () => {
  /** Counts the messages that a Worker sends to search; they arrive. */
  function counting() {
    const sent: string[] = [];
    const bindings = interceptBindings(['SEARCH_QUEUE'], (name, call) => {
      sent.push(name);
      return call();
    });
    return { bindings, sent };
  }
  const running = async ({ tenantId }: World) =>
    searchOf({ tenantId })
      .prepare('SELECT run, again FROM search_progress WHERE tenant_id = ?')
      .bind(tenantId)
      .first();

  it('of one tenant run one at a time; requests meanwhile cause one more', async () => {
    const shop = await world();
    await shop.post('/products', simple('Lion'));
    await eventually(shop, 'lion', ['Lion']);
    // Messages that would arrive before the last request is checked are sent after it.
    const held: (() => unknown)[] = [];
    const bindings = interceptBindings(['SEARCH_QUEUE'], async (_, call) => void held.push(call));
    const five = Array.from({ length: 5 }, (_, at) => ({ body: start(shop), id: `r${at}-${shop.slug}` }));
    expect((await queue('search-index', five, bindings)).acked).toBe(5);
    expect(held).toHaveLength(1);
    expect(await running(shop)).toEqual({ run: five[0]?.id, again: 1 });
    for (const send of held) await send();
    await vi.waitFor(async () => expect(await running(shop)).toEqual({ run: null, again: 0 }), 30_000);
    expect(await found(shop, 'lion')).toEqual(['Lion']);
  });

  it('continue after a repeated step or message', async () => {
    const shop = await world();
    await shop.post('/products', simple('Lion'));
    const id = `twice-${shop.slug}`;
    const { bindings, sent } = counting();
    await queue('search-index', [{ body: start(shop), id }], bindings);
    await queue('search-index', [{ body: start(shop), id, attempts: 2 }], bindings);
    expect(sent).toHaveLength(2);
    await vi.waitFor(async () => expect((await running(shop))?.run).toBe(null), 30_000);
    await eventually(shop, 'lion', ['Lion']);
  });

  it('replace one that has made no progress for a day', async () => {
    const shop = await world();
    const [first, second] = [`lost-${shop.slug}`, `next-${shop.slug}`];
    await queue('search-index', [{ body: start(shop), id: first }], withoutSearchMessages().bindings);
    await queue('search-index', [{ body: start(shop), id: second }], withoutSearchMessages().bindings);
    expect(await running(shop)).toEqual({ run: first, again: 1 });
    moveClock(25 * 3_600_000);
    await queue('search-index', [{ body: start(shop), id: second }], withoutSearchMessages().bindings);
    expect(await running(shop)).toEqual({ run: second, again: 0 });
  });

  it('restore the index after the database was restored', async () => {
    const shop = await world();
    const { id } = (await shop.post('/products', simple('Mug'))).body;
    const rows = (sql: string) => storeOf(shop).prepare(sql).bind(shop.tenantId);
    const [[product], [item]] = (
      await storeOf(shop).batch<Record<string, number>>([
        rows('SELECT revision, updated_at FROM products WHERE tenant_id = ?'),
        rows('SELECT updated_at FROM inventory_items WHERE tenant_id = ?'),
      ])
    ).map(({ results }) => results) as [[Record<string, number>], [Record<string, number>]];
    await shop.patch(`/products/${id}`, { name: 'Cup' });
    await shop.post('/products', simple('Cup of later'));
    await eventually(shop, 'cup', ['Cup', 'Cup of later']);
    await storeOf(shop).batch([
      rows(
        `UPDATE products SET name = 'Mug', revision = ${product.revision} WHERE tenant_id = ? AND id = ${id}`,
      ),
      rows(`UPDATE inventory_items SET updated_at = ${item.updated_at} WHERE tenant_id = ? AND id = ${id}`),
      rows(`DELETE FROM products WHERE tenant_id = ? AND id <> ${id}`),
      rows(`DELETE FROM inventory_items WHERE tenant_id = ? AND id <> ${id}`),
      rows('UPDATE tenants SET catalog_version = 1 WHERE id = ?'),
    ]);
    moveClock(31_000);
    await shop.get('/theme/options');
    await eventually(shop, 'cup', []);
    await eventually(shop, 'mug', ['Mug']);
  });
});
