import { expect, it } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { createProduct, NEWEST } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

const URL = 'https://cdn.example.com/a.jpg';

it('copies a product with its variants, without stock and barcodes, and hides the copy', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const [category] = [(await shop.post('/categories', { name: 'Tops' })).body.id];
  const variant = { price: 20, prices: { USD: 22 }, stock: 3, attributes: { size: 'M' }, image: URL };
  const made = await shop.post('/products', {
    name: 'Tee',
    type: 'configurable',
    price: 20,
    sku: 'TEE',
    description: '<p>Soft</p>',
    category_ids: [category],
    images: [{ url: URL, alt: 'A tee' }],
    tags: ['new'],
    barcode: '42',
    variants: [{ ...variant, sku: 'TEE-M', barcode: '43' }],
  });
  const copied = await shop.post(`/products/${made.body.id}/duplicate`, {});
  expect(copied.status, JSON.stringify(copied.body)).toBe(201);
  expect(copied.body).toMatchObject({
    name: 'Copy of Tee',
    slug: 'tee-copy',
    sku: 'TEE-copy',
    status: 'inactive',
    stock: 0,
    description: '<p>Soft</p>',
    media: made.body.media,
    tags: ['new'],
    categories: [{ id: category }],
    variants: [{ price: 20, prices: { USD: 22 }, stock: 0, attributes: { size: 'M' }, image: URL }],
  });
  expect(copied.body.variants[0].sku).toMatch(/^TEE-M-copy-\w{5}$/);
  expect(JSON.stringify(copied.body)).not.toContain('barcode');
  const again = await shop.post(`/products/${made.body.id}/duplicate`, {});
  expect(again.body.slug).toMatch(/^tee-copy-\d+$/);
  expect((await shop.get(`/products/${made.body.id}`, NEWEST)).body).toMatchObject({ stock: 3, name: 'Tee' });
});

it("copies nothing of a simple product's stock", async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup', stock: 5 });
  expect((await shop.post(`/products/${cup.id}/duplicate`, {})).body).toMatchObject({
    sku: 'cup-copy',
    stock: 0,
  });
});

it("copies a download's files and a booking's slots", async () => {
  const shop = await world();
  const links = [{ title: 'Song', url: 'https://files.example.com/song.mp3', price: 2 }];
  const song = (await createProduct(shop, { type: 'downloadable', links })).body;
  const copy = (await shop.post(`/products/${song.id}/duplicate`, {})).body;
  expect(copy.links).toEqual([{ id: 1, title: 'Song', price: 2 }]);
  const slots = [{ from: '2100-01-01T10:00:00Z', to: '2100-01-01T11:00:00Z', capacity: 4 }];
  const booking = { timezone: 'Europe/Berlin', slots };
  const course = (await createProduct(shop, { type: 'booking', booking })).body;
  const other = (await shop.post(`/products/${course.id}/duplicate`, {})).body;
  expect(other.booking.slots).toMatchObject([{ capacity: 4, available: 4 }]);
  expect(other.booking.slots[0].id).not.toBe(course.booking.slots[0].id);
});

it('makes one copy of one request', async () => {
  const shop = await world();
  const cup = (await createProduct(shop)).body;
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const twice = await Promise.all(
    [1, 2].map(() => shop.post(`/products/${cup.id}/duplicate`, {}, { headers })),
  );
  expect(new Set(twice.map(({ body }) => body.id).filter(Boolean)).size).toBe(1);
  expectProblem(await shop.post('/products/999999999/duplicate', {}), 404, 'product_not_found');
});

it('keeps the file of a link that is sent without its address', async () => {
  const shop = await world();
  const links = [{ title: 'Song', url: 'https://files.example.com/song.mp3' }];
  const song = (await createProduct(shop, { type: 'downloadable', links })).body;
  const renamed = await shop.patch(`/products/${song.id}`, { links: [{ id: 1, title: 'The song' }] });
  expect(renamed.body.links).toEqual([{ id: 1, title: 'The song', price: 0 }]);
  const added = await shop.patch(`/products/${song.id}`, { links: [{ id: 1, title: 'A' }, { title: 'B' }] });
  expectProblem(added, 422, 'validation_error');
  expect(added.body.errors).toEqual({ 'links.1.url': ['is required for a new link'] });
});
