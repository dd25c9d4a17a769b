import { afterEach, expect, it, vi } from 'vitest';
import { switchSales } from '../../src/catalog/sales/switch-sales.ts';
import { HOUR, now } from '../../src/kernel/core/clock.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { instant, stopClockAt } from '../support/fixtures/catalog/sales.ts';
import { cartWith, checkoutPath, sandboxShop, submitCheckout } from '../support/fixtures/selling/checkout.ts';
import { contextOf } from '../support/runtime/runtime.ts';
import { type DatabaseUsage, measureDatabase } from '../support/storage/database-usage.ts';
import type { Answer, World } from '../support/world.ts';

afterEach(() => vi.restoreAllMocks());

const shirt = (sku: string, sale: object | null = null) => ({
  type: 'configurable',
  name: sku,
  price: 10,
  variants: ['S', 'M'].map((size) => ({
    sku: `${sku}-${size}`,
    price: 10,
    stock: 50,
    attributes: { size },
    sale,
  })),
});

/** Adds products of each kind that stock is derived of, so that a scan of any table would be seen. */
async function fill(shop: World, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const cup = await createProduct(shop, { stock: 100, sku: `cup-${count}-${n}` });
    const grouped = [{ product_id: cup.body.id, default_quantity: 1 }];
    await createProduct(shop, { type: 'grouped', name: 'Set', grouped, sku: `set-${count}-${n}` });
    await createProduct(shop, shirt(`shirt-${count}-${n}`));
  }
}

/** Returns what the writes of a shop's day cost, by name. */
async function costs(shop: World, round: string): Promise<Record<string, DatabaseUsage>> {
  const found: Record<string, DatabaseUsage> = {};
  const measured = async (name: string, work: () => Promise<Answer | unknown>) => {
    found[name] = await measureDatabase(work);
  };
  const at = now() + HOUR;
  const sale = { price: 8, starts_at: instant(at) };
  const one = await createProduct(shop, shirt(`tee-${round}`, sale));
  const path = `/products/${one.body.id}`;
  const [variant] = one.body.variants;
  await measured('create', () => createProduct(shop, shirt(`new-${round}`)));
  await measured('rename', () => shop.patch(path, { name: `Tee ${round}` }));
  await measured('set stock', () => shop.patch(path, { variants: [{ ...variant, stock: 40 }] }));
  await measured('adjust stock', () =>
    shop.post('/inventory/adjustments', { items: [{ sku: variant.sku, delta: 5 }] }),
  );
  const cart = await cartWith(shop, one, 1, { variant_id: variant.id });
  let page = '';
  await measured('reserve', async () => {
    page = await checkoutPath(shop, cart);
  });
  await measured('pay', () => submitCheckout(page, 'pay'));
  stopClockAt(at);
  await measured('switch a price', () => switchSales(contextOf(shop)));
  vi.restoreAllMocks();
  return found;
}

it('reads no more rows for a write when the catalogue is larger', async () => {
  const shop = await sandboxShop();
  await fill(shop, 2);
  const small = await costs(shop, 'small');
  await fill(shop, 40);
  const large = await costs(shop, 'large');
  const more = Object.entries(large).map(
    ([name, { read }]) => [name, read - (small[name]?.read ?? 0)] as const,
  );
  for (const [name, extra] of more) expect(extra, name).toBeLessThan(30);
});
