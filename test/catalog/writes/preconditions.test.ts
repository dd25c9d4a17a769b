import { afterEach, describe, expect, it, vi } from 'vitest';
import { SCOPES } from '../../../src/kernel/core/scopes.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { NEWEST, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { cartWith, checkoutPath, sandboxShop } from '../../support/fixtures/selling/checkout.ts';
import { type Answer, type World, world } from '../../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const etagOf = ({ headers }: Answer) => headers.get('etag') ?? '';

/** Something with a detail that two editors change: how to make it, its path, and two changes. */
interface Edited {
  readonly path: (shop: World) => Promise<string>;
  readonly one: object;
  readonly other: object;
  readonly writes: RegExp;
}

const named = async (shop: World, path: string, body: object) =>
  `${path}/${(await shop.post(path, body)).body.id}`;
const EDITED: Readonly<Record<string, Edited>> = {
  product: {
    path: (shop) => named(shop, '/products', { name: 'Mug', type: 'simple', price: 10, stock: 3 }),
    one: { name: 'Cup' },
    other: { price: 11 },
    writes: /INSERT INTO products/i,
  },
  category: {
    path: (shop) => named(shop, '/categories', { name: 'Tops' }),
    one: { name: 'Hats' },
    other: { image_url: 'https://img.example.com/a' },
    writes: /UPDATE categories/i,
  },
  settings: {
    path: async () => '/settings',
    one: { tax: { mode: 'inclusive', rate_percent: 19 } },
    other: { checkout: { allowed_hosts: ['shop.example.com'] } },
    writes: /update "tenants"/i,
  },
};

describe.each(Object.entries(EDITED))('If-Match on a %s', (_, { path, one, other, writes }) => {
  async function read() {
    const shop = await world();
    const at = await path(shop);
    const seen = await shop.get(at, NEWEST);
    expect(etagOf(seen)).toMatch(/^"[^"]+"$/);
    return { shop, at, etag: etagOf(seen) };
  }
  const given = (etag: string) => ({ headers: { 'if-match': etag } });

  it("accepts the first editor's write and refuses the second's", async () => {
    const { shop, at, etag } = await read();
    const first = await shop.patch(at, one, given(etag));
    expect(first.status).toBe(200);
    const second = await shop.patch(at, other, given(etag));
    expect([second.status, second.body.code]).toEqual([412, 'precondition_failed']);
    const now = await shop.get(at, NEWEST);
    expect(now.body).toMatchObject(one);
    expect(etagOf(now)).not.toBe(etag);
    // A write answers with the tag that the next one needs.
    expect(etagOf(first)).toBe(etagOf(now));
    expect((await shop.patch(at, other, given(etagOf(first)))).status).toBe(200);
  });

  it('is checked at the moment of the write, whatever happens before it', async () => {
    const { shop, at, etag } = await read();
    beforeBatch(writes, async () => {
      expect((await shop.patch(at, one)).status).toBe(200);
    });
    expect((await shop.patch(at, other, given(etag))).status).toBe(412);
    expect((await shop.get(at, NEWEST)).body).toMatchObject(one);
  });

  it('accepts one of several concurrent editors', async () => {
    const { shop, at, etag } = await read();
    const answers = await Promise.all(
      [one, other, one, other].map((body) => shop.patch(at, body, given(etag))),
    );
    const wins = answers.filter(({ status }) => status === 200);
    expect(wins.length).toBe(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(3);
  });

  it('accepts "*" and lists, but no unknown tag', async () => {
    const { shop, at, etag } = await read();
    for (const tag of ['W/"x"', '"x"', 'x', '"1', etag.slice(1, -1)]) {
      expect((await shop.patch(at, one, given(tag))).status, tag).toBe(412);
    }
    expect((await shop.patch(at, one, given(`"x", ${etag}`))).status).toBe(200);
    expect((await shop.patch(at, other, given('*'))).status).toBe(200);
  });

  it('accepts a tag that a compressing proxy marked as weak, until the next change', async () => {
    const { shop, at, etag } = await read();
    expect((await shop.patch(at, one, given(`W/${etag}`))).status).toBe(200);
    expect((await shop.patch(at, other, given(`W/${etag}`))).status).toBe(412);
  });
});

describe('If-Match on a deletion', () => {
  it.each(['product', 'category'])('refuses to delete a %s that has changed since', async (what) => {
    const shop = await world();
    const { path, one } = EDITED[what] ?? {};
    const at = (await path?.(shop)) ?? '';
    const etag = etagOf(await shop.get(at, NEWEST));
    const changed = await shop.patch(at, one);
    const remove = (tag: string) => shop.delete(at, { headers: { 'if-match': tag } });
    expect((await remove(etag)).status).toBe(412);
    expect((await remove(etagOf(changed))).status).toBe(204);
    expect((await remove('*')).status).toBe(404);
  });
});

describe('If-Match on a deletion that another editor overtakes', () => {
  it.each([
    ['product', /UPDATE products SET deleted_at/],
    ['category', /DELETE FROM categories/],
  ])('keeps the %s', async (what, deletes) => {
    const shop = await world();
    const { path, one = {} } = EDITED[what] ?? {};
    const at = (await path?.(shop)) ?? '';
    const headers = { 'if-match': etagOf(await shop.get(at, NEWEST)) };
    beforeBatch(deletes, async () => expect((await shop.patch(at, one)).status).toBe(200));
    expect((await shop.delete(at, { headers })).status).toBe(412);
    expect((await shop.get(at, NEWEST)).body).toMatchObject(one);
  });
});

it('keeps the type of a product while a checkout has units of it reserved', async () => {
  const shop = await sandboxShop();
  const [cup, plate] = [
    await stockedProduct(shop, { name: 'Cup' }),
    await stockedProduct(shop, { name: 'Plate' }),
  ];
  await checkoutPath(shop, await cartWith(shop, cup));
  const grouped = [{ product_id: plate.body.id }];
  const refused = await shop.patch(`/products/${cup.body.id}`, { type: 'grouped', grouped });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { type: ['must not change while checkouts or orders have 1 of it reserved'] },
  ]);
});

it("a product's ETag survives sales, but not a change of its stock by an editor", async () => {
  const shop = await world();
  const at = await EDITED.product?.path(shop);
  const etag = etagOf(await shop.get(`${at}`, NEWEST));
  await shop.post('/inventory/adjustments', { items: [{ sku: 'mug', delta: -1 }] });
  const headers = { 'if-match': etag };
  expect((await shop.patch(`${at}`, { stock: 7 }, { headers })).status).toBe(200);
  expect((await shop.patch(`${at}`, { stock: 8 }, { headers })).status).toBe(412);
});

describe('changing stock by PATCH of a product', () => {
  async function catalogOnly() {
    const shop = await world();
    const { token } = await shop.register({
      kind: 'integration',
      scopes: SCOPES.filter((scope) => scope !== 'inventory:write'),
    });
    return { shop, token: token as string };
  }
  const refused = { code: 'insufficient_scope', details: { required_scope: 'inventory:write' } };

  it('requires inventory:write, for the product and for each variant', async () => {
    const { shop, token } = await catalogOnly();
    const mug = (await shop.post('/products', { name: 'Mug', type: 'simple', price: 1, stock: 3 })).body;
    const variant = (stock: number, size: string, more = {}) => ({
      price: 1,
      stock,
      attributes: { size },
      ...more,
    });
    const made = await shop.post('/products', {
      name: 'Shirt',
      type: 'configurable',
      price: 1,
      variants: [variant(1, 'S', { sku: 's' }), variant(2, 'M', { sku: 'm' })],
    });
    const [small, middle] = made.body.variants;
    const change = (id: number, body: object) => shop.patch(`/products/${id}`, body, { token });
    const both = [variant(1, 'S', { id: small.id }), variant(9, 'M', { id: middle.id })];
    for (const answer of [
      await change(mug.id, { stock: 4 }),
      await change(mug.id, { stock: 0, name: 'Cup' }),
      await change(made.body.id, { variants: both }),
    ]) {
      expect([answer.status, answer.body]).toMatchObject([403, refused]);
    }
    expect((await shop.get(`/products/${mug.id}`, NEWEST)).body).toMatchObject({
      name: 'Mug',
      stock: 3,
    });
    // With the scope it goes through.
    expect((await shop.patch(`/products/${mug.id}`, { stock: 4 })).body.stock).toBe(4);
  });

  it('does not require it if the stock is unchanged or the product or variant is new', async () => {
    const { shop, token } = await catalogOnly();
    const body = { name: 'Mug', type: 'simple', price: 1, stock: 3 };
    const mug = await shop.post('/products', body, { token });
    expect(mug.status).toBe(201);
    const same = await shop.patch(`/products/${mug.body.id}`, { name: 'Cup', stock: 3 }, { token });
    expect([same.status, same.body.name]).toEqual([200, 'Cup']);
    const variants = [{ sku: 's', price: 1, stock: 5, attributes: { size: 'S' } }];
    const turned = await shop.patch(
      `/products/${mug.body.id}`,
      { type: 'configurable', variants },
      { token },
    );
    expect([turned.status, turned.body.stock]).toEqual([200, 5]);
  });
});

it('finds nothing in an unknown category', async () => {
  const [shop, other] = [await world(), await world()];
  await shop.post('/products', { name: 'Mug', type: 'simple', price: 1 });
  const theirs = (await other.post('/categories', { name: 'Tops' })).body.id;
  for (const id of [theirs, 999_999_999]) {
    for (const more of ['', '&q=mug', '&status=all', '&sort=price_asc']) {
      const { status, body } = await shop.get(`/products?category_id=${id}${more}`, NEWEST);
      expect([status, body.data, body.meta.total, body.meta.total_pages]).toEqual([200, [], 0, 0]);
    }
  }
});
