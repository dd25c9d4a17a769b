import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { CACHE_FORMAT } from '../../../src/kernel/cache/versioned-cache.ts';
import { sha256 } from '../../../src/kernel/crypto/crypto.ts';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, tryAddToCart } from '../../support/fixtures/selling/cart.ts';
import { type World, world } from '../../support/world.ts';

/** The paths of a JSON value with the types found there; places in a list all count as one. */
function shapeOf(value: unknown, path = '$'): string[] {
  if (typeof value === 'string' && /^[{[]/.test(value)) return shapeOf(JSON.parse(value), `${path}~`);
  if (value === null || typeof value !== 'object')
    return [`${path}:${value === null ? 'null' : typeof value}`];
  const inner = Array.isArray(value)
    ? value.flatMap((one) => shapeOf(one, `${path}[]`))
    : Object.entries(value).flatMap(([key, one]) => shapeOf(one, `${path}.${key}`));
  return [...new Set([path, ...inner])].sort();
}

/** How long (ms) to wait for what is stored after a response, on the slowest machine. */
const STORE_WAIT = { timeout: 30_000 };

/** Everything that the tenant's reads have put into KV, by key. */
async function stored({ tenantId }: World): Promise<Map<string, string>> {
  const { keys } = await env.CACHE.list();
  const mine = keys.map(({ name }) => name).filter((name) => name.split(':').includes(String(tenantId)));
  return new Map(
    await Promise.all(mine.map(async (name) => [name, (await env.CACHE.get(name)) ?? ''] as const)),
  );
}

const url = 'https://files.example.com/a';

/** Creates a tenant with one of everything that is cached, and reads all of it. */
async function everything(): Promise<World> {
  const shop = await world({ settings: { tax: { mode: 'exclusive', rate_percent: 19 } } });
  const seo = { title: 'T', description: 'D', og_image: url };
  const parent = (await shop.post('/categories', { name: 'Top', image_url: url, seo })).body.id;
  const child = (await shop.post('/categories', { name: 'Below', parent_id: parent })).body.id;
  const whole = {
    category_ids: [child],
    description: 'D',
    images: [url],
    seo,
    barcode: '1',
    tags: ['a'],
    vendor: 'V',
    tax_class: 'books',
    regular_price: 20,
  };
  const mug = await stockedProduct(shop, { name: 'Mug', ...whole });
  await shop.patch(`/products/${mug.body.id}`, { sale: { price: 9 } });
  const group = { title: 'G', items: [{ product_id: mug.body.id }] };
  const slot = { from: '2100-01-01T10:00:00Z', to: '2100-01-01T11:00:00Z', capacity: 3 };
  const variant = { price: 5, attributes: { size: 'M' }, stock: 3 };
  const all = [
    mug,
    await stockedProduct(shop, { name: 'Virtual', type: 'virtual' }),
    await stockedProduct(shop, { name: 'File', type: 'downloadable', links: [{ title: 'L', url }] }),
    await stockedProduct(shop, {
      name: 'Shirt',
      type: 'configurable',
      variants: [{ ...variant, regular_price: 7, sku: 'm', barcode: '2', image: url }],
    }),
    await stockedProduct(shop, { name: 'Set', type: 'grouped', grouped: [{ product_id: mug.body.id }] }),
    await stockedProduct(shop, { name: 'Box', type: 'bundled', bundle_groups: [group] }),
    await stockedProduct(shop, {
      name: 'Tour',
      type: 'booking',
      booking: { timezone: 'Europe/Berlin', slots: [slot] },
    }),
  ];
  const last = all.at(-1);
  if (!last) throw new Error('unreachable');
  const seen = seeing(last);
  const paths = [
    ...all.map(({ body }) => `/products/${body.id}`),
    '/products?include=variants,images,categories',
    '/categories',
    `/categories/${parent}`,
    '/sitemap?kind=products',
    '/theme/options',
    '/marketplace/products',
  ];
  for (const path of paths) expect((await shop.get(path, seen)).status, path).toBe(200);
  await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10, product_ids: [mug.body.id] });
  await shop.post('/promotions', {
    name: 'Sale',
    trigger: 'automatic',
    effect: { kind: 'percent', value: 5 },
    conditions: { product_ids: [mug.body.id], minimum_subtotal: 1, minimum_quantity: 1 },
  });
  const options = [
    {},
    {},
    { links: [1] },
    { attributes: { size: 'M' } },
    { qty: { [mug.body.id]: 1 } },
    { bundle_options: { 1: [1] } },
    { booking: { from: slot.from, to: slot.to } },
  ];
  let cart_token: string | null = null;
  for (const [n, answer] of all.entries()) {
    cart_token = (
      await addToCart(shop, last, { product_id: answer.body.id, options: options[n], cart_token })
    ).body.cart_token;
  }
  await shop.post(`/cart/${cart_token}/coupon`, { code: 'TEN' }, seen);
  await shop.patch('/theme/options', { font_family: 'Georgia' });
  const moved = await shop.patch(`/products/${mug.body.id}`, { price: 11 });
  const headers = { 'x-catalog-version': moved.headers.get('x-catalog-version') ?? '' };
  expect((await shop.get(`/cart/${cart_token}`, { headers })).status).toBe(200);
  return shop;
}

it('is the digest of every cached shape, so that no deploy reads another format', async () => {
  const shop = await everything();
  // Bodies are stored after the responses.
  await vi.waitFor(async () => {
    const entries = await stored(shop);
    const shapes = [
      ...new Set([...entries.values()].map((entry) => shapeOf(JSON.parse(entry)).join(' '))),
    ].sort();
    const digest = sha256(shapes.join('\n')).slice(0, 8);
    expect(shapes.length).toBeGreaterThan(20);
    expect(CACHE_FORMAT, `What is cached has another shape: set CACHE_FORMAT to '${digest}'`).toBe(digest);
    for (const key of entries.keys()) expect(key).toMatch(new RegExp(`^catalog:${CACHE_FORMAT}:`));
  }, STORE_WAIT);
});

it('ignores entries of another format', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  await addToCart(shop, mug, {});
  const views = await vi.waitFor(async () => {
    const found = [...(await stored(shop))].filter(([, entry]) => entry.includes('policy'));
    expect(found.length).toBeGreaterThan(0);
    return found;
  }, STORE_WAIT);
  const hat = await stockedProduct(shop, { name: 'Hat' });
  const version = hat.headers.get('x-catalog-version') ?? '';
  for (const [key, entry] of views) {
    const old = JSON.parse(entry);
    const view = JSON.parse(old.body);
    delete view.product.policy;
    const body = JSON.stringify(view);
    const parts = key.split(':');
    const name = ['catalog', shop.tenantId, version, parts.at(-1)].join(':');
    await env.CACHE.put(name, JSON.stringify({ ...old, body, version: Number(version) }));
  }
  const many = await tryAddToCart(shop, hat, { product_id: mug.body.id, quantity: 101 });
  expect([many.status, many.body.code]).toEqual([409, 'insufficient_stock']);
});
