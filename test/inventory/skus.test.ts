import { expect, it } from 'vitest';
import { importFile, stockBySku } from '../support/fixtures/catalog/imports.ts';
import { NEWEST } from '../support/fixtures/catalog/products.ts';
import { lazy } from '../support/lazy.ts';
import { world } from '../support/world.ts';

/** One rule for SKUs, wherever a request has one: in NFC, without white space around them, else compared exactly. */

/** The same SKU, as different systems may send it; the stored one is first. */
const SKU = 'CAF\u00c9 1';
const SPELLINGS = [SKU, ` ${SKU} `, '\tCAFE\u0301 1\n', `\u00a0${SKU}`];

/** A shop with a product and a variant, both created with white space around their SKUs. */
const shopOfSkus = lazy(async () => {
  const shop = await world();
  const cup = await shop.post('/products', {
    name: 'Cup',
    type: 'simple',
    sku: ` ${SKU} `,
    price: 5,
    stock: 9,
  });
  const variants = [{ sku: ' TEE M ', price: 5, stock: 4, attributes: { size: 'M' } }];
  const tee = await shop.post('/products', { name: 'Tee', type: 'configurable', price: 5, variants });
  expect([cup.status, tee.status]).toEqual([201, 201]);
  return { shop, cup: cup.body, tee: tee.body };
});

it('products and variants keep a SKU without white space around it, which no other one can have', async () => {
  const { shop, cup, tee } = await shopOfSkus();
  expect([cup.sku, tee.variants[0].sku]).toEqual([SKU, 'TEE M']);
  for (const sku of [...SPELLINGS, ' TEE M ']) {
    const taken = await shop.post('/products', { name: 'Other', type: 'simple', sku, price: 5 });
    expect([taken.status, taken.body.code], sku).toEqual([409, 'sku_taken']);
  }
});

it.each(SPELLINGS)('adjustments, prices and lists find %j', async (sku) => {
  const { shop, cup } = await shopOfSkus();
  const adjusted = await shop.post('/inventory/adjustments', { items: [{ sku, stock: 7 }] });
  expect([adjusted.status, adjusted.body.data]).toEqual([
    200,
    [{ sku: SKU, product_id: cup.id, variant_id: null, stock: 7 }],
  ]);
  const priced = await shop.post('/products/prices', { items: [{ sku, price: 6 }] });
  expect([priced.status, priced.body.data?.[0]?.sku]).toEqual([200, SKU]);
  const listed = await shop.get(`/products?skus=${encodeURIComponent(sku)}`, NEWEST);
  expect(listed.body.data.map(({ id }: { id: number }) => id)).toEqual([cup.id]);
});

it('two spellings of one SKU are a repetition', async () => {
  const { shop } = await shopOfSkus();
  const items = [
    { sku: SKU, delta: 0 },
    { sku: ` ${SKU}`, delta: 0 },
  ];
  const adjusted = await shop.post('/inventory/adjustments', { items });
  expect([adjusted.status, adjusted.body.errors]).toEqual([422, { 'items.1.sku': ['must not be repeated'] }]);
  const priced = await shop.post('/products/prices', { items: items.map(({ sku }) => ({ sku, price: 6 })) });
  expect([priced.status, Object.keys(priced.body.errors)]).toEqual([422, ['items.1.sku']]);
});

it('a SKU in other case or with other spaces inside is another one', async () => {
  const { shop } = await shopOfSkus();
  for (const sku of ['caf\u00e9 1', 'CAF\u00c9  1', 'CAF\u00c91']) {
    const { body } = await shop.post('/inventory/adjustments', { items: [{ sku, delta: 0 }] });
    expect(body.errors, sku).toEqual({ 'items.0.sku': ['must be a SKU of this catalogue'] });
  }
});

it.each(['', '   '])('a SKU is not empty: %j', async (sku) => {
  const { shop } = await shopOfSkus();
  const calls = {
    '/products': { name: 'Mug', type: 'simple', price: 5, sku },
    '/inventory/adjustments': { items: [{ sku, delta: 0 }] },
    '/products/prices': { items: [{ sku, price: 5 }] },
  };
  for (const [path, body] of Object.entries(calls)) {
    const refused = await shop.post(path, body);
    expect([refused.status, Object.values(refused.body.errors)], path).toEqual([
      422,
      [['must have at least 1 character']],
    ]);
  }
});

it('imports find the product by its SKU', async () => {
  const shop = await world();
  const file = (sku: string) => `Handle,Title,Variant SKU,Price,Inventory quantity\ncup,Cup,"${sku}",5,3\n`;
  expect(await importFile(shop, file(SKU))).toMatchObject({ created: 1, errors: [] });
  for (const sku of SPELLINGS.slice(1)) {
    expect(await importFile(shop, file(sku)), sku).toMatchObject({ unchanged: 1, failed: 0 });
  }
  expect(await stockBySku(shop)).toEqual({ [SKU]: 3 });
});

it('webhooks are filtered by it', async () => {
  const { shop } = await shopOfSkus();
  const hook = { url: 'https://shop.example.com/hook', status: 'paused', events: ['stock.changed'] };
  const made = await shop.post('/webhooks', { ...hook, filter: { sku: [SPELLINGS[1], SPELLINGS[2]] } });
  expect([made.status, made.body.filter]).toEqual([201, { sku: [SKU, SKU] }]);
  const empty = await shop.post('/webhooks', { ...hook, filter: { sku: [' '] } });
  expect([empty.status, Object.keys(empty.body.errors)]).toEqual([422, ['filter.sku.0']]);
});
