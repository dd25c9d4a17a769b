import { afterEach, describe, expect, it, vi } from 'vitest';
import { DAY, now } from '../../../src/kernel/core/clock.ts';
import { importFile } from '../../support/fixtures/catalog/imports.ts';
import { createProduct, patchProduct } from '../../support/fixtures/catalog/products.ts';
import { instant, ringSales, seeingNow, stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { eventsOfType } from '../../support/fixtures/selling/orders.ts';
import { lazy } from '../../support/lazy.ts';
import { world } from '../../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world({ currencies: ['EUR', 'USD'] }));

afterEach(() => vi.restoreAllMocks());

describe('a sale', () => {
  it('is shown beside the ordinary price, and only its editors see its terms', async () => {
    const shop = await world();
    const storefront = await shop.register({ kind: 'storefront' });
    const [from, to] = [now() - DAY, now() + DAY].map(instant);
    const cup = await createProduct(shop, { price: 10, sale: { price: 7.5, starts_at: from, ends_at: to } });
    const reduced = { price: 7.5, regular_price: 10, on_sale: true, price_range: { min: 7.5, max: 7.5 } };
    expect(cup.body).toMatchObject({ ...reduced, sale: { price: 7.5, starts_at: from, ends_at: to } });
    const path = `/products/${cup.body.id}`;
    const options = { token: storefront.token, ...(await seeingNow(shop)) };
    const [seen, list] = [await shop.get(path, options), await shop.get('/products', options)];
    expect(seen.body).toMatchObject(reduced);
    expect(seen.body).not.toHaveProperty('sale');
    expect(list.body.data[0]).toMatchObject(reduced);
    expect(await patchProduct(shop, cup, { sale: seen.body.sale ?? cup.body.sale })).toMatchObject(reduced);
    expect(await patchProduct(shop, cup, { price: 12 })).toMatchObject({ price: 7.5, regular_price: 12 });
    const ended = await patchProduct(shop, cup, { sale: null });
    expect(ended).toMatchObject({ price: 12, regular_price: null, on_sale: false, sale: null });
  });

  it('belongs to variants of a configurable product', async () => {
    const shop = await world();
    const size = (name: string, price: number, sale: object | null = null) => ({
      sku: name,
      price,
      stock: 5,
      attributes: { size: name },
      sale,
    });
    const shirt = await createProduct(shop, {
      type: 'configurable',
      variants: [size('s', 20), size('m', 30, { price: 25 })],
    });
    const dearer = { price: 20, regular_price: null, on_sale: true, price_range: { min: 20, max: 25 } };
    expect(shirt.body).toMatchObject(dearer);
    expect(shirt.body.variants).toMatchObject([
      { price: 20, regular_price: null, on_sale: false, sale: null },
      { price: 25, regular_price: 30, on_sale: true, sale: { price: 25 } },
    ]);
    const cheaper = await patchProduct(shop, shirt, {
      variants: [size('s', 20, { price: 12 }), size('m', 30)],
    });
    expect(cheaper).toMatchObject({
      price: 12,
      regular_price: 20,
      on_sale: true,
      price_range: { min: 12, max: 30 },
      variants: [{ lowest_price_30d: 20 }, {}],
      lowest_price_30d: 20,
    });
  });

  it('leaves a variant as it was when the variant is sent back as it was read', async () => {
    const shop = await world();
    const variant = { sku: 's', price: 20, stock: 5, attributes: { size: 's' }, sale: { price: 12 } };
    const shirt = await createProduct(shop, { type: 'configurable', variants: [variant] });
    expect(shirt.body.variants).toMatchObject([{ price: 12, regular_price: 20, on_sale: true, name: 's' }]);
    const same = await patchProduct(shop, shirt, { variants: shirt.body.variants });
    expect(same.variants).toEqual(shirt.body.variants);
    const [{ id, attributes }] = same.variants;
    const dearer = await patchProduct(shop, shirt, { variants: [{ id, attributes, price: 24 }] });
    expect(dearer.variants).toMatchObject([{ price: 12, regular_price: 24, on_sale: true }]);
    const wrong = await shop.patch(`/products/${shirt.body.id}`, {
      variants: [{ id, attributes, price: 24, in_stock: 'yes' }],
    });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['variants.0.in_stock']]);
  });

  it('holds in the currencies that it names', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const sale = { prices: { USD: 8 } };
    const cup = await createProduct(shop, { price: 10, prices: { USD: 11 }, sale });
    expect(cup.body).toMatchObject({ price: 10, on_sale: false, sale: { prices: { USD: 8 } } });
    const seeing = await seeingNow(shop);
    const dollars = await shop.get(`/products/${cup.body.id}?currency=USD`, seeing);
    expect(dollars.body).toMatchObject({ price: 8, regular_price: 11, on_sale: true });
    const list = await shop.get('/products?currency=USD', seeing);
    expect(list.body.data[0]).toMatchObject({ price: 8, regular_price: 11, on_sale: true });
  });

  it.each([
    [{ price: 10 }, 'sale.price', 'must be below the ordinary price'],
    [{ price: 7.555 }, 'sale.price', 'must have at most 2 decimals'],
    [{}, 'sale.price', 'requires `price` or `prices`'],
    [{ prices: {} }, 'sale.price', 'requires `price` or `prices`'],
    [{ prices: { CHF: 1 } }, 'sale.prices.CHF', "must be one of the tenant's currencies"],
    [{ prices: { USD: 1 } }, 'sale.prices.USD', 'requires a price in USD'],
    [
      { price: 5, starts_at: '2099-01-02T00:00:00Z', ends_at: '2099-01-01T00:00:00Z' },
      'sale.ends_at',
      'after',
    ],
    [{ price: 5, ends_at: '2020-01-01T00:00:00Z' }, 'sale.ends_at', 'must be in the future'],
    [{ price: 5, starts_at: 'tomorrow' }, 'sale.starts_at', ''],
    [{ price: 5, until: '2099-01-01T00:00:00Z' }, 'sale', ''],
  ])('is refused with a named error: %j', async (sale, field, message) => {
    const shop = await untouched();
    const refused = await shop.post('/products', { name: 'Cup', type: 'simple', price: 10, sale });
    expect([refused.status, refused.body.code]).toEqual([422, 'validation_error']);
    expect(Object.keys(refused.body.errors).join()).toContain(field);
    expect(JSON.stringify(refused.body.errors)).toContain(message);
  });

  it('is refused where the price is that of others, and above a lowered price', async () => {
    const shop = await world();
    const cup = await createProduct(shop, { price: 10, sale: { price: 7 } });
    const low = await shop.patch(`/products/${cup.body.id}`, { price: 6 });
    expect([low.status, Object.keys(low.body.errors)]).toEqual([422, ['sale.price']]);
    const group = { name: 'Set', type: 'grouped', price: 0, grouped: [{ product_id: cup.body.id }] };
    const grouped = await shop.post('/products', { ...group, sale: { price: 0 } });
    expect([grouped.status, Object.keys(grouped.body.errors)]).toEqual([422, ['sale']]);
    const variant = { sku: 'm', price: 5, attributes: { size: 'M' }, sale: { price: 5 } };
    const shirt = { name: 'Shirt', type: 'configurable', price: 5, variants: [variant] };
    const dear = await shop.post('/products', shirt);
    expect([dear.status, Object.keys(dear.body.errors)]).toEqual([422, ['variants.0.sale.price']]);
  });

  it('raises one event for its beginning and one for its end', async () => {
    const shop = await world();
    const start = now() + DAY;
    const sale = { price: 7, starts_at: instant(start), ends_at: instant(start + DAY) };
    const cup = await createProduct(shop, { price: 10, sale });
    await patchProduct(shop, cup, { sale: { ...sale, price: 6 } });
    for (const at of [start, start + DAY]) {
      stopClockAt(at);
      await ringSales(shop);
    }
    const events = await eventsOfType(shop, 'product.updated');
    expect(events.map(({ price, changed }) => [price, changed])).toEqual([
      [10, ['created']],
      [10, ['sale']],
      [6, ['price']],
      [10, ['price']],
    ]);
    const { body } = await shop.get(`/products/${cup.body.id}`, await seeingNow(shop));
    expect(body).toMatchObject({ price: 10, on_sale: false, sale: null });
  });
});

it('is in the changes of the feed, and in the event of an edit that comes before the switch', async () => {
  const shop = await world();
  const start = now() + DAY;
  const sale = { price: 7, starts_at: instant(start) };
  const [cup, mug] = [await createProduct(shop, { name: 'Cup', sale }), await createProduct(shop, { sale })];
  const { next_updated_since } = (await shop.get('/marketplace/products', await seeingNow(shop))).body.meta;
  stopClockAt(start);
  await patchProduct(shop, cup, { name: 'Beaker' });
  await ringSales(shop);
  const [edited, switched] = (await eventsOfType(shop, 'product.updated')).slice(2);
  expect(edited).toMatchObject({ id: cup.body.id, price: 7, changed: ['price', 'name'] });
  expect(switched).toMatchObject({ id: mug.body.id, price: 7, changed: ['price'] });
  const changes = `/marketplace/products?updated_since=${next_updated_since}`;
  const { data } = (await shop.get(changes, await seeingNow(shop))).body;
  expect(data).toMatchObject([
    { id: cup.body.id, price: 7 },
    { id: mug.body.id, price: 7 },
  ]);
});

it('is not paid where an import has lowered the ordinary price below it', async () => {
  const shop = await world();
  const cup = await createProduct(shop, { name: 'Cup', price: 10, sale: { price: 6 } });
  expect(await importFile(shop, 'Handle,Title,Price\ncup,Cup,5\n')).toMatchObject({ updated: 1 });
  const { body } = await shop.get(`/products/${cup.body.id}`, await seeingNow(shop));
  expect(body).toMatchObject({ price: 5, on_sale: false });
});

it('keeps no other field from being changed where an import has lowered the ordinary price below it', async () => {
  const shop = await world();
  const size = (name: string, price: number, sale: object | null = null) => ({
    sku: name,
    price,
    stock: 5,
    attributes: { Size: name },
    sale,
  });
  const variants = [size('S', 20, { price: 15 }), size('M', 30)];
  const [shirt, cup] = [
    await createProduct(shop, { name: 'Shirt', type: 'configurable', variants }),
    await createProduct(shop, { name: 'Cup', price: 20, sale: { price: 15 } }),
  ];
  const lines = ['shirt,Shirt,Size,S,S,12', 'shirt,,,M,M,30', 'cup,Cup,,,,12'];
  const header = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Price';
  expect(await importFile(shop, `${[header, ...lines].join('\n')}\n`)).toMatchObject({ updated: 2 });
  const { status, body } = await shop.post('/products/prices', { items: [{ sku: 'M', price: 28 }] });
  expect([status, body.errors]).toEqual([200, undefined]);
  for (const { body: created } of [shirt, cup]) {
    const read = (await shop.get(`/products/${created.id}`, await seeingNow(shop))).body;
    const { price, sale, variants: sold } = read;
    const again = created.type === 'configurable' ? { variants: sold } : { price, sale };
    const sent = await shop.patch(`/products/${created.id}`, { ...again, tags: ['new'] });
    expect([sent.status, sent.body.tags, sent.body.price], JSON.stringify(sent.body)).toEqual([
      200,
      ['new'],
      12,
    ]);
  }
  const dearer = await shop.patch(`/products/${cup.body.id}`, { price: 14 });
  expect([dearer.status, dearer.body.errors]).toEqual([
    422,
    { 'sale.price': ['must be below the ordinary price'] },
  ]);
});

it('refuses no price because of a sale that has ended, although prices are not switched yet', async () => {
  const shop = await world();
  const end = now() + DAY;
  const cup = await createProduct(shop, { price: 10, sale: { price: 6, ends_at: instant(end) } });
  stopClockAt(end);
  const lowered = await shop.patch(`/products/${cup.body.id}`, { price: 5 });
  expect([lowered.status, lowered.body.price, lowered.body.sale]).toEqual([200, 5, null]);
});
