/** Two people, or two tabs, edit the same product. */

import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf } from '../../../support/fixtures/browser.ts';
import { NEWEST } from '../../../support/fixtures/catalog/products.ts';
import { type World, world } from '../../../support/world.ts';

const read = async (shop: World, id: number) => (await shop.get(`/products/${id}?status=all`, NEWEST)).body;

/** A product, and what two tabs have loaded of one of its pages. */
async function twoTabs(body: object, section = '') {
  const shop = await world();
  const made = await shop.post('/products', { name: 'Mug', type: 'simple', price: 12, stock: 5, ...body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const here = `/developer/products/${made.body.id}${section}`;
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(here);
  const save = (changes: Record<string, string>) =>
    developer.submit(here, { ...fieldsOf(html, here), ...changes });
  return { shop, developer, here, save, id: made.body.id as number, product: made.body };
}

it("a second tab's stock edit keeps the first tab's name, and says that there was another change", async () => {
  const { shop, save, id } = await twoTabs({});
  expect((await save({ name: 'Large mug' })).html).toContain('Saved.');
  const second = await save({ stock: '9' });
  expect(second.html).toContain('Someone else changed other fields meanwhile');
  expect(await read(shop, id)).toMatchObject({ name: 'Large mug', stock: 9 });
});

it('shows both values of a field that both changed, and saves neither until one is chosen', async () => {
  const { shop, developer, here, save, id } = await twoTabs({});
  await save({ name: 'Large mug', price: '13' });
  const second = await save({ name: 'Small mug', price: '13', sku: 'MUG-S' });
  expect(second.status).toBe(409);
  expect(second.html).toMatch(/Name<\/td><td[^>]*>Small mug<\/td><td[^>]*>Large mug</);
  // Both wanted the same price.
  expect(second.html).not.toContain('>Price</td>');
  expect(await read(shop, id)).toMatchObject({ name: 'Large mug', price: 13, sku: 'mug' });
  const mine = /name="_resolve" value="(mine [^"]+)"/.exec(second.html)?.[1] ?? '';
  const kept = await developer.submit(here, { ...fieldsOf(second.html, here), _resolve: mine });
  expect(kept.html).toContain('Saved.');
  expect(await read(shop, id)).toMatchObject({ name: 'Small mug', price: 13, sku: 'MUG-S' });
});

it('keeps my value of the same field, and theirs of those that I left alone', async () => {
  const { shop, developer, here, save, id } = await twoTabs({});
  await save({ name: 'Large mug', price: '13' });
  const second = await save({ name: 'Small mug', sku: 'MUG-S' });
  const mine = /name="_resolve" value="(mine [^"]+)"/.exec(second.html)?.[1] ?? '';
  const kept = await developer.submit(here, { ...fieldsOf(second.html, here), _resolve: mine });
  expect(kept.html).toContain('Someone else changed other fields meanwhile');
  expect(await read(shop, id)).toMatchObject({ name: 'Small mug', sku: 'MUG-S', price: 13 });
});

it('asks once about each field, also when a third change comes between', async () => {
  const { shop, developer, here, save, id } = await twoTabs({});
  await save({ name: 'Large mug' });
  let got = await save({ name: 'Small mug', sku: 'MUG-S' });
  await shop.patch(`/products/${id}`, { sku: 'MUG-L' });
  for (const asked of ['Name', 'SKU']) {
    expect(got.html).toContain(`>${asked}</td>`);
    const mine = /name="_resolve" value="(mine [^"]+)"/.exec(got.html)?.[1] ?? '';
    got = await developer.submit(here, { ...fieldsOf(got.html, here), _resolve: mine });
  }
  expect(got.html).toContain('Saved');
  expect(await read(shop, id)).toMatchObject({ name: 'Small mug', sku: 'MUG-S' });
});

it('saves the rest when the others’ values are taken', async () => {
  const { shop, developer, here, save, id } = await twoTabs({});
  await save({ name: 'Large mug' });
  const second = await save({ name: 'Small mug', sku: 'MUG-S' });
  await developer.submit(here, { ...fieldsOf(second.html, here), _resolve: 'theirs' });
  expect(await read(shop, id)).toMatchObject({ name: 'Large mug', sku: 'MUG-S' });
});

it('asks again if a third change comes between', async () => {
  const { shop, developer, here, save, id } = await twoTabs({});
  await save({ name: 'Large mug' });
  const second = await save({ name: 'Small mug' });
  await shop.patch(`/products/${id}`, { name: 'Huge mug' });
  const mine = /name="_resolve" value="(mine [^"]+)"/.exec(second.html)?.[1] ?? '';
  const third = await developer.submit(here, { ...fieldsOf(second.html, here), _resolve: mine });
  expect(third.status).toBe(409);
  expect(third.html).toContain('Huge mug');
  expect((await read(shop, id)).name).toBe('Huge mug');
});

it('does not undo a sale by a stock that was counted before it', async () => {
  const { shop, save, id } = await twoTabs({});
  await shop.patch(`/products/${id}`, { stock: 4 });
  const counted = await save({ stock: '7' });
  expect(counted.status).toBe(409);
  expect(counted.html).toMatch(/Stock<\/td><td[^>]*>7<\/td><td[^>]*>4</);
  expect((await read(shop, id)).stock).toBe(4);
});

it('compares variants cell by cell', async () => {
  const variants = ['S', 'M'].map((size) => ({ sku: size, price: 20, stock: 3, attributes: { size } }));
  const body = { type: 'configurable', stock: undefined, variants };
  const { shop, save, id, product } = await twoTabs(body, '/variants');
  const [s, m] = product.variants;
  await save({ [`price-${s.id}`]: '21' });
  expect((await save({ [`stock-${s.id}`]: '8', [`price-${m.id}`]: '22' })).html).toContain('Saved.');
  expect((await read(shop, id)).variants).toMatchObject([
    { price: 21, stock: 8 },
    { price: 22, stock: 3 },
  ]);
  const clash = await save({ [`price-${s.id}`]: '25' });
  expect(clash.status).toBe(409);
  expect(clash.html).toContain('Price of S');
});

it('says that a variant with a changed price is gone', async () => {
  const variants = ['S', 'M'].map((size) => ({ sku: size, price: 20, attributes: { size } }));
  const body = { type: 'configurable', stock: undefined, variants };
  const { shop, save, id, product } = await twoTabs(body, '/variants');
  const [s, m] = product.variants;
  await shop.patch(`/products/${id}`, { variants: [{ id: m.id, price: 20, attributes: m.attributes }] });
  const clash = await save({ [`price-${s.id}`]: '25' });
  expect(clash.status).toBe(409);
  expect(clash.html).toContain('a removed variant');
});

const inSizes = (...sizes: string[]) => ({
  type: 'configurable',
  stock: undefined,
  variants: sizes.map((Size) => ({ sku: Size, price: 20, stock: 3, attributes: { Size } })),
});

it('asks before options replace those that someone else has saved, and renames no variant by its place', async () => {
  const { shop, developer, here, save, id, product } = await twoTabs(inSizes('S', 'M'), '/options');
  await shop.patch(`/products/${id}`, {
    variants: [
      { id: product.variants[1].id, price: 20, attributes: { Size: 'M' } },
      { sku: 'L', price: 20, attributes: { Size: 'L' } },
    ],
  });
  const clash = await save({ 'options.0.values': 'S\nMedium' });
  expect(clash.status).toBe(409);
  expect(clash.html).toMatch(/Options<\/td><td[^>]*>[^<]*S, Medium<\/td><td[^>]*>[^<]*M, L</);
  expect((await read(shop, id)).variants).toMatchObject([{ name: 'M' }, { name: 'L' }]);
  const mine = /name="_resolve" value="(mine [^"]+)"/.exec(clash.html)?.[1] ?? '';
  const asked = await developer.submit(here, { ...fieldsOf(clash.html, here), _resolve: mine });
  expect(asked.html).toContain('Remove 2 variants of');
  await developer.submit(here, fieldsOf(asked.html, here));
  const { variants } = await read(shop, id);
  expect(variants).toMatchObject([{ name: 'S' }, { name: 'Medium' }]);
  expect(variants.map((one: { id: number }) => one.id)).not.toContain(product.variants[1].id);
});

it('keeps options that someone else has saved, of a form that changes none or takes theirs', async () => {
  const { shop, developer, here, save, id } = await twoTabs(inSizes('S', 'M'), '/options');
  const other = await developer.get(here);
  await developer.submit(here, { ...fieldsOf(other.html, here), 'options.0.values': 'S\nM\nL' });
  const sizes = async () => (await read(shop, id)).options[0].values;
  expect(await sizes()).toEqual(['S', 'M', 'L']);
  expect((await save({})).html).toContain('Someone else changed other fields meanwhile');
  const clash = await save({ 'options.0.name': 'Fit' });
  await developer.submit(here, { ...fieldsOf(clash.html, here), _resolve: 'theirs' });
  expect((await read(shop, id)).options).toEqual([{ name: 'Size', values: ['S', 'M', 'L'] }]);
});

it('asks again when someone else changes the options while the question waits', async () => {
  const { shop, developer, here, save, id } = await twoTabs(inSizes('S', 'M'), '/options');
  const asked = await save({ 'options.0.values': 'S' });
  expect(asked.html).toContain('Remove 1 variant of');
  await developer.submit(here, {
    ...fieldsOf((await developer.get(here)).html, here),
    'options.0.values': 'S\nM\nL',
  });
  const confirmed = await developer.submit(here, fieldsOf(asked.html, here));
  expect(confirmed.status).toBe(409);
  expect((await read(shop, id)).options[0].values).toEqual(['S', 'M', 'L']);
});
