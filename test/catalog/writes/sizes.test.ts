import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

/** D1 takes no longer text, neither as a parameter nor in a row. The local database takes longer ones. */
const D1_BYTES = 2_000_000;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Records the bytes of the longest parameter of all statements. */
function longestParameter(): () => number {
  const bind = vi.spyOn(Object.getPrototypeOf(env.DB.prepare('SELECT 1')), 'bind');
  return () =>
    Math.max(...bind.mock.calls.flat().map((value) => (typeof value === 'string' ? bytesOf(value) : 0)));
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** So long that 25,000 of them fit into a request. */
const LONG_VALUE = 'x'.repeat(31);

/** Variants with many attributes, whose names and values repeat. */
const variants = (count: number, names: number) =>
  Array.from({ length: count }, (_, n) => ({
    sku: `V${n}`,
    price: 1,
    attributes: Object.fromEntries(
      Array.from({ length: names }, (_, at) => [`o${at}`, at > 0 ? LONG_VALUE : `${n}`]),
    ),
  }));

describe('a product', () => {
  it('with many attributes is changed by statements that D1 takes', async () => {
    const shop = await world();
    const body = { type: 'configurable', variants: variants(500, 50) };
    const { status, body: made } = await createProduct(shop, body);
    expect(status).toBe(201);
    const longest = longestParameter();
    expect((await shop.patch(`/products/${made.id}`, { name: 'Shirt' })).status).toBe(200);
    expect(longest()).toBeGreaterThan(100_000);
    expect(longest()).toBeLessThan(D1_BYTES);
  });

  it('is found by its filters after such a change', async () => {
    const shop = await world();
    const { body: made } = await createProduct(shop, { type: 'configurable', variants: variants(300, 50) });
    const changed = await shop.patch(`/products/${made.id}`, { variants: variants(299, 50) });
    const headers = { 'x-catalog-version': changed.headers.get('x-catalog-version') ?? '' };
    const found = async (value: string) =>
      (await shop.get(`/products?attr.o0=${value}&attr.o49=${LONG_VALUE}`, { headers })).body.meta.total;
    expect([await found('0'), await found('298'), await found('299')]).toEqual([1, 1, 0]);
  });

  it('is refused where it is too large, by the longest field', async () => {
    const shop = await world({ currencies: ['EUR', 'USD', 'GBP', 'CHF'] });
    const long = (n: number, at: number) => `${n}-${at}-${'x'.repeat(200)}`;
    const options = Array.from({ length: 100 }, (_, n) => ({
      sku: `L${n}`,
      price: 1,
      prices: n > 0 ? { USD: 1, GBP: 1 } : {},
      attributes: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`o${at}`, long(n, at)])),
    }));
    const message = 'makes the product larger than 1000000 bytes';
    const refused = await shop.post('/products', {
      name: 'Cup',
      type: 'configurable',
      price: 1,
      variants: options,
    });
    expect([refused.status, refused.body.errors]).toEqual([422, { variants: [message] }]);

    const { body: made } = await createProduct(shop, { description: 'ä'.repeat(65_000) });
    const images = Array.from({ length: 250 }, (_, n) => `https://a.example.com/${n}-${'x'.repeat(1_900)}`);
    const more = await shop.patch(`/products/${made.id}`, { images });
    expect([more.status, more.body.errors]).toEqual([422, { images: [message] }]);
    expect((await shop.patch(`/products/${made.id}`, { images: images.slice(50) })).status).toBe(200);
  });

  it('that is too large already can be changed, and become smaller', async () => {
    const shop = await world();
    const { body: made } = await createProduct(shop, {});
    const images = Array.from({ length: 250 }, (_, n) => `https://a.example.com/${n}-${'x'.repeat(2_010)}`);
    await storeOf(shop)
      .prepare('UPDATE products SET images = ? WHERE id = ?')
      .bind(JSON.stringify(images), made.id)
      .run();
    expect((await shop.patch(`/products/${made.id}`, { price: 2 })).status).toBe(200);
    expect((await shop.patch(`/products/${made.id}`, { description: 'more' })).status).toBe(422);
    expect((await shop.patch(`/products/${made.id}`, { images: images.slice(1) })).status).toBe(200);
  });

  it('has variants with at most 50 attributes each', async () => {
    const shop = await world();
    const body = { name: 'Cup', type: 'configurable', price: 1, variants: variants(1, 51) };
    const refused = await shop.post('/products', body);
    expect(refused.body.errors).toEqual({ 'variants.0.attributes': ['must have at most 50 names'] });
  });
});
