import { expect, it, vi } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { importFile, productsBySlug } from '../../support/fixtures/catalog/imports.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { tryAddToCart } from '../../support/fixtures/selling/cart.ts';
import { type Answer, world } from '../../support/world.ts';

/** Names of options keep the spelling that they were written with, and are compared without case and accents. */

const variant = (sku: string, attributes: object) => ({ sku, price: 5, stock: 1, attributes });
const attributesOf = ({ variants }: Answer['body']) => variants.map((one: Answer['body']) => one.attributes);
const HEADER = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\n';

it('are kept by an import, which finds stored variants by them', async () => {
  const shop = await world();
  await importFile(shop, `${HEADER}tee,Tee,Color,Black,T-1,5\ntee,,,Red,T-2,5\n`);
  const { tee } = await productsBySlug(shop);
  expect(tee.options).toEqual([{ name: 'Color', values: ['Black', 'Red'] }]);
  expect(attributesOf(tee)).toEqual([{ Color: 'Black' }, { Color: 'Red' }]);
  // Other SKUs, as a file without them gets: the options tell which variant is which.
  await importFile(shop, `${HEADER}tee,Tee,COLOR,Black,N-1,5\ntee,,,Red,N-2,5\n`);
  const { tee: after } = await productsBySlug(shop);
  expect(attributesOf(after)).toEqual([{ COLOR: 'Black' }, { COLOR: 'Red' }]);
  expect(after.variants.map(({ id }: { id: number }) => id)).toEqual(
    tee.variants.map(({ id }: { id: number }) => id),
  );
});

it('are the same in all variants, spelled as in the first', async () => {
  const shop = await world();
  const variants = [variant('a', { Größe: 'S', Color: 'Red' }), variant('b', { color: 'Red', grösse: 'M' })];
  const made = (await createProduct(shop, { type: 'configurable', variants })).body;
  expect(made.options).toEqual([
    { name: 'Größe', values: ['S', 'M'] },
    { name: 'Color', values: ['Red'] },
  ]);
  expect(made.variants.map((one: Answer['body']) => [one.name, one.attributes.Color])).toEqual([
    ['S / Red', 'Red'],
    ['M / Red', 'Red'],
  ]);
});

it('must differ, and so must the options of two variants', async () => {
  const shop = await world();
  const refused = async (...variants: object[]) => {
    const body = { name: 'Tee', type: 'configurable', price: 5, variants };
    const answer = await shop.post('/products', body);
    expectProblem(answer, 422, 'validation_error');
    return Object.keys(answer.body.errors);
  };
  expect(await refused(variant('a', { Color: 'Red', color: 'Red' }))).toEqual(['variants.0.attributes']);
  expect(await refused(variant('a', { Color: 'Red' }), variant('b', { color: 'Red' }))).toEqual([
    'variants.1.attributes',
  ]);
});

it('find a variant for the cart in any case', async () => {
  const shop = await world();
  const variants = [variant('a', { Color: 'Black' }), variant('b', { Color: 'Red' })];
  const tee = await createProduct(shop, { type: 'configurable', variants });
  const added = await tryAddToCart(shop, tee, { options: { attributes: { COLOR: 'Red' } } });
  expect(added.body.items[0]).toMatchObject({ sku: 'b', options: { attributes: { Color: 'Red' } } });
});

it('are compared once each, however many variants there are', async () => {
  const shop = await world();
  const names = (n: number) => Array.from({ length: 20 }, (_, m) => `Größe ${n} ${m}`);
  const variants = Array.from({ length: 100 }, (_, n) =>
    variant(`V-${n}`, Object.fromEntries(names(n).map((name) => [name, `${n}`]))),
  );
  const made = await createProduct(shop, { type: 'configurable', variants });
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const { body } = await shop.get(`/products/${made.body.id}`);
  // A few for each of the 2,000 names, and not for each name in each variant.
  expect(normalize.mock.calls.length).toBeLessThan(50_000);
  normalize.mockRestore();
  expect(body.options).toHaveLength(2_000);
  expect(body.variants.at(-1).name).toBe(Array(20).fill('99').join(' / '));
});

it('are compared once each by an import that finds variants by them', async () => {
  const shop = await world();
  const line = (n: number) => `bar,${n === 0 ? 'Bar' : ''},Größe,${n},5\n`;
  const file = `Handle,Title,Option1 Name,Option1 Value,Variant Price\n${Array.from({ length: 200 }, (_, n) => line(n)).join('')}`;
  await importFile(shop, file);
  const before = (await productsBySlug(shop)).bar;
  const normalize = vi.spyOn(String.prototype, 'normalize');
  await importFile(shop, file.replaceAll(',5\n', ',6\n'));
  // Some for each variant, and not for each variant beside each other.
  expect(normalize.mock.calls.length).toBeLessThan(50_000);
  normalize.mockRestore();
  const { bar } = await productsBySlug(shop);
  expect(bar.variants.map(({ id, price }: Answer['body']) => [id, price])).toEqual(
    before.variants.map(({ id }: Answer['body']) => [id, 6]),
  );
});
