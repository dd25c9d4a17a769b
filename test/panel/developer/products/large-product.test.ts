import { describe, expect, it } from 'vitest';
import { fill } from '../../../support/fixtures/browser.ts';
import { createProduct, NEWEST } from '../../../support/fixtures/catalog/products.ts';
import { editor } from './editor.ts';

const url = (name: string) => `https://cdn.example.com/${name}.png`;

describe('a large product', () => {
  const long = (n: number) => `${n}${'"&<>'.repeat(15)}`.slice(0, 50);
  const sections = ['', '/variants', '/options', '/pictures', '/organisation', '/search-engines'];

  it.each(sections)('fits into 30 KiB with 100 variants of 3 options: %s', async (section) => {
    const variants = Array.from({ length: 100 }, (_, n) => ({
      sku: long(n),
      price: 20,
      image: url('a'),
      stock: 3,
      attributes: { [long(1)]: long(n % 5), [long(2)]: long(n % 4), [long(3)]: long(n) },
    }));
    const images = Array.from({ length: 60 }, (_, n) => ({ url: url(`${n}`), alt: '"'.repeat(100) }));
    const { developer, here } = await editor({
      name: '"&<>'.repeat(60),
      type: 'configurable',
      variants,
      images: [url('a'), ...images],
      description: '"'.repeat(9_000),
      tags: ['a', 'b'],
      attributes: { a: 'b' },
    });
    const { html, status } = await developer.get(here + section);
    expect(status).toBe(200);
    const linked = [...html.matchAll(/(?:href|src)="(\/panel-assets\/[^"]+\.(?:css|js))"/g)].map(
      ([, path = '']) => path,
    );
    const assets = await Promise.all(
      linked.map(async (path) => (await developer.send('GET', path)).html.length),
    );
    expect(html.length + assets.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(30 * 1024);
  });
});

it('marks an error of a choice at its row, also on the second page of its products', async () => {
  const { shop, developer } = await editor({ name: 'Plate' });
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) => createProduct(shop, { name: `Cup ${n}` })),
  );
  const items = made.map(({ body }) => ({ product_id: body.id }));
  const set = await createProduct(shop, { type: 'bundled', bundle_groups: [{ title: 'Cups', items }] });
  const page = `/developer/products/${set.body.id}/choices/1`;
  const { status, html } = await fill(developer, `${page}?page=2`, page, { 'items.1.quantity': '0' });
  expect(status).toBe(422);
  expect(html).toContain('id="f-items.1.quantity-error">must be');
});

it.each(['', '/description'])('saves the longest description in any script: %s', async (section) => {
  const description = section === '' ? 'Short' : 'x'.repeat(3_000);
  const { shop, save, id } = await editor({ name: 'Scroll', description });
  const longest = '漢'.repeat(65_535);
  expect((await save(section, { description: longest })).status).toBe(200);
  expect((await shop.get(`/products/${id}`, NEWEST)).body.description).toBe(longest);
});

it('saves tags, attributes and metadata that take as much as a product may', async () => {
  const value = (n: number) => `${n}${'漢'.repeat(240)}`;
  const named = (count: number, of: (n: number) => string | string[]) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`name ${n}`, of(n)]));
  const { shop, save, id, product } = await editor({
    name: 'Catalogue',
    attributes: named(50, () => Array.from({ length: 20 }, (_, n) => value(n))),
    metadata: named(50, value),
  });
  expect((await save('/organisation', { tags: 'paper\nlarge' })).status).toBe(200);
  const { tags, attributes } = (await shop.get(`/products/${id}`, NEWEST)).body;
  expect([tags, attributes]).toEqual([['paper', 'large'], product.attributes]);
});
