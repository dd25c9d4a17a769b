/** Background work waits until an imported tenant is activated. */
import { expect, it } from 'vitest';
import { HOUR, moveClock } from '../../src/kernel/core/clock.ts';
import { expectConsistent } from '../support/auditor/index.ts';
import { runCron } from '../support/cron.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { cartWith, checkoutPath, sandboxShop, submitCheckout } from '../support/fixtures/selling/checkout.ts';
import { settle } from '../support/fixtures/selling/outcomes.ts';
import { deleteEverything } from '../support/storage/delete-everything.ts';
import type { World } from '../support/world.ts';
import { activate, type Exported, exportAll, importAll, suspend } from './transferring.ts';

/** Exports a shop with a hold of two cups, an unpaid order of three, and a sale that begins within the hour. */
async function unsettledShop(): Promise<{ shop: World; cup: number; exported: Exported }> {
  const shop = await sandboxShop();
  const sale = { price: 8, starts_at: new Date(Date.now() + HOUR / 2).toISOString() };
  const cup = await stockedProduct(shop, { stock: 9, sale });
  await checkoutPath(shop, await cartWith(shop, cup, 2));
  await submitCheckout(await checkoutPath(shop, await cartWith(shop, cup, 3)), 'decline');
  await suspend(shop);
  return { shop, cup: cup.body.id, exported: await exportAll(shop.slug) };
}

it('leaves a tenant as it was exported while its import has broken off, and takes it up once it is active', async () => {
  const { shop, cup, exported } = await unsettledShop();
  await deleteEverything();
  moveClock(2 * HOUR);
  const { header, records } = exported;
  const middle = records.findIndex(({ table }) => table === 'stock_movements');
  await importAll(shop.slug, { header, records: records.slice(0, middle) });
  await runCron();
  await importAll(shop.slug, exported);
  await runCron();
  expect((await exportAll(shop.slug)).records).toEqual(records);
  await activate(shop);
  await settle();
  await expectConsistent(shop);
  expect((await shop.get(`/products/${cup}`)).body).toMatchObject({ stock: 9, price: 8, on_sale: true });
});
