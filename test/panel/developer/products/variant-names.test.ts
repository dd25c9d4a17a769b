import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf, fill } from '../../../support/fixtures/browser.ts';
import { NEWEST } from '../../../support/fixtures/catalog/products.ts';
import { world } from '../../../support/world.ts';
import { editor } from './editor.ts';

it('tells variants with long values apart by each of them', async () => {
  const glaze = 'Celadon with a very long description';
  const values = ['Small', 'Large', 'Extraordinarily large'];
  const variants = values.map((Size, n) => ({
    sku: `BOWL-${n}`,
    price: 20,
    stock: 3,
    attributes: { Glaze: glaze, Size },
  }));
  const { developer, here } = await editor({ name: 'Bowl', type: 'configurable', variants });
  const { html } = await developer.get(`${here}/variants`);
  const named = (label: string) => [...html.matchAll(new RegExp(`aria-label="${label} ([^"]+)"`, 'g'))];
  for (const label of ['Price of', 'SKU of', 'Remove']) {
    expect(named(label).map(([, name]) => name)).toEqual([
      'Celadon with a very l… / Small',
      'Celadon with a very l… / Large',
      'Celadon with… / Extraordinar…',
    ]);
  }
  // The SKU is below the name.
  expect(html).toMatch(/Small<\/a><input [^>]*name="sku-/);
});

it('answers 404 for a variant that was removed, and does not say that it was saved', async () => {
  const variants = ['S', 'M'].map((Size) => ({ sku: Size, price: 20, stock: 3, attributes: { Size } }));
  const { shop, developer, here, id, product } = await editor({
    name: 'Tee',
    type: 'configurable',
    variants,
  });
  const [{ id: removed }, kept] = product.variants;
  const page = `${here}/variants/${removed}`;
  const shown = fieldsOf((await developer.get(page)).html, page);
  await shop.patch(`/products/${id}`, { variants: [kept] });
  const saved = await developer.post(page, { ...shown, stock: '7', _resolve: 'mine' });
  expect(saved.status).toBe(404);
  expect(saved.html).toContain('This variant was removed.');
  for (const gone of [page, `${here}/variants/new`]) expect((await developer.get(gone)).status).toBe(404);
});

it('keeps variants that lack an option whose name objects inherit', async () => {
  const attributes: Record<string, string>[] = [{ constructor: 'Ada', size: 'M' }, { size: 'L' }];
  const variants = attributes.map((one, n) => ({ sku: `KIT-${n}`, price: 20, stock: 3, attributes: one }));
  const kit = { name: 'Kit', type: 'configurable', variants };
  const { shop, developer, here, save, id, product } = await editor(kit);
  const page = `${here}/variants/${product.variants[1].id}`;
  expect(fieldsOf((await developer.get(page)).html, page)).toMatchObject({ option0: '', option1: 'L' });
  const renamed = Object.fromEntries(
    product.options.map(({ name }: { name: string }, n: number) => [`options.${n}.name`, `${name}s`]),
  );
  await save('/options', renamed);
  const { body } = await shop.get(`/products/${id}`);
  expect(body.variants.map((one: { attributes: object }) => one.attributes)).toEqual([
    { constructors: 'Ada', sizes: 'M' },
    { constructors: 'Ada', sizes: 'L' },
  ]);
});

it('derives SKUs that tell variants apart from a long name', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const made = await fill(developer, '/developer/products/new?type=configurable', '/developer/products/new', {
    name: 'Heavyweight organic cotton T-shirt with a long sleeve and a pocket',
    'options.0.name': 'Colour',
    'options.0.values': 'Midnight black\r\nNavy',
    variant_price: '20',
  });
  expect(made.html).toContain('Created.');
  const { body } = await shop.get('/products?include=variants', NEWEST);
  const skus = body.data[0].variants.map(({ sku }: { sku: string }) => sku);
  expect(skus).toEqual([
    'HEAVYWEIGHT-ORGANIC-COTTON-T-SHIRT-WITH-MIDNIGHT-BLACK',
    'HEAVYWEIGHT-ORGANIC-COTTON-T-SHIRT-WITH-NAVY',
  ]);
});
