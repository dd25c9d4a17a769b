/** The prices of items in product feeds, against those that a cart charges. */

import { expect, it } from 'vitest';
import { HOUR, MINUTE, now } from '../../src/kernel/core/clock.ts';
import type { World } from '../support/world.ts';
import { feedShop, itemsOf, listed, problemsOf } from './feed-shop.ts';

/** Returns the item of a product in a new feed. */
async function itemOf(shop: World, productId: number) {
  const items = await itemsOf(shop);
  return items.find(({ id }) => id === String(productId));
}

/** Returns the unit price of a product with options in a new cart. */
async function charged(shop: World, productId: number, options: object): Promise<number> {
  const { status, body } = await shop.post('/cart/items', { product_id: productId, quantity: 1, options });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items[0].unit_price;
}

/** An item of a bundle's group. */
const part = ({ id }: { id: number }, quantity = 1) => ({ product_id: id, quantity });

it('has the least price at which a bundle can be bought, not the one that was set for lists', async () => {
  const shop = await feedShop();
  const cup = (await listed(shop, { name: 'Cup', price: 15, sale: { price: 12 } })).body;
  const plate = (await listed(shop, { name: 'Plate', price: 25 })).body;
  const spoon = (await listed(shop, { name: 'Spoon', price: 2 })).body;
  const bundle = (
    await listed(shop, {
      name: 'Breakfast',
      type: 'bundled',
      price: 10,
      regular_price: 99,
      bundle_groups: [
        { title: 'Drink', required: true, items: [part(plate), part(cup, 2)] },
        { title: 'Plate', required: true, items: [part(plate, 2), part(spoon, 3)] },
        { title: 'More', required: false, items: [part(spoon)] },
      ],
    })
  ).body;
  const [drink, dish] = bundle.bundle_groups;
  const choose = (one: number, other: number) => ({
    bundle_options: { [drink.id]: [drink.items[one].id], [dish.id]: [dish.items[other].id] },
  });
  expect(await charged(shop, bundle.id, choose(1, 1))).toBe(30);
  const item = await itemOf(shop, bundle.id);
  expect(item).toMatchObject({ price: '30.00 EUR', availability: 'in_stock' });
  expect(item).not.toHaveProperty('sale_price');
  // Two cups can't be bought any more, a plate can.
  await shop.patch(`/products/${cup.id}`, { stock: 1 });
  expect(await charged(shop, bundle.id, choose(0, 1))).toBe(31);
  expect(await itemOf(shop, bundle.id)).toMatchObject({ price: '31.00 EUR', availability: 'in_stock' });
  // On backorder they can.
  await shop.patch(`/products/${cup.id}`, { inventory_policy: 'continue' });
  expect(await itemOf(shop, bundle.id)).toMatchObject({ price: '30.00 EUR', availability: 'in_stock' });
  await shop.patch(`/products/${cup.id}`, { inventory_policy: 'deny' });
  await shop.patch(`/products/${plate.id}`, { stock: 0 });
  expect(await itemOf(shop, bundle.id)).toMatchObject({ availability: 'out_of_stock' });
  // Hidden cups have no price here.
  await shop.patch(`/products/${cup.id}`, { status: 'inactive' });
  expect(await itemOf(shop, bundle.id)).toMatchObject({ price: '31.00 EUR', availability: 'out_of_stock' });
});

it('has the price of the cheapest item of a bundle that requires none', async () => {
  const shop = await feedShop();
  const [cup, lid] = [(await listed(shop, { price: 15 })).body, (await listed(shop, { price: 4 })).body];
  const groups = [cup, lid].map((one) => ({ title: 'Any', required: false, items: [part(one)] }));
  const bundle = (await listed(shop, { type: 'bundled', price: 0, bundle_groups: groups })).body;
  expect(await itemOf(shop, bundle.id)).toMatchObject({ price: '4.00 EUR' });
});

it('has the price of a download with its cheapest file, without which it is not sold', async () => {
  const shop = await feedShop({ currency: 'JPY' });
  const link = (title: string, price?: number) => ({ title, url: `https://x.example.com/${title}`, price });
  const download = async (body: object) =>
    (await listed(shop, { type: 'downloadable', price: 300, ...body })).body;
  const links = [link('flac', 400), link('mp3', 200)];
  const album = await download({ links });
  const onSale = await download({ links, sale: { price: 100 } });
  const byFile = await download({ price: 0, links });
  const free = await download({ price: 0, links: [...links, link('booklet')] });
  const bare = await download({});
  expect(await charged(shop, album.id, { links: [album.links[1].id] })).toBe(500);
  const items = new Map((await itemsOf(shop)).map((item) => [item.id, item]));
  const pricesOf = ({ id }: { id: number }) => {
    const { price, sale_price } = items.get(String(id)) ?? {};
    return [price, sale_price];
  };
  expect(pricesOf(album)).toEqual(['500 JPY', undefined]);
  expect(pricesOf(onSale)).toEqual(['500 JPY', '300 JPY']);
  expect(pricesOf(byFile)).toEqual(['200 JPY', undefined]);
  expect(pricesOf(bare)).toEqual(['300 JPY', undefined]);
  expect((await problemsOf(shop)).map(({ product_id }) => product_id)).toEqual([free.id]);
});

it('announces a sale for the whole minutes of its time, in which a cart charges its price', async () => {
  const shop = await feedShop();
  const at = (ms: number) => new Date(ms).toISOString();
  const start = Math.ceil(now() / MINUTE) * MINUTE + HOUR;
  const coming = (from: number, to: number) =>
    listed(shop, { sale: { price: 6, starts_at: at(start + from), ends_at: at(start + to) } });
  await coming(1_000, 2 * MINUTE + 59_000);
  await coming(1_000, 59_000);
  const [long, short] = await itemsOf(shop);
  expect(long).toMatchObject({
    sale_price: '6.00 EUR',
    sale_price_effective_date: [MINUTE, 2 * MINUTE].map((ms) => `${at(start + ms).slice(0, 16)}Z`).join('/'),
  });
  expect(short).toMatchObject({ price: '10.00 EUR' });
  expect(short).not.toHaveProperty('sale_price');
});
