import { describe, expect, it } from 'vitest';
import { importFile, productsBySlug } from '../../support/fixtures/catalog/imports.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { registration } from '../../support/fixtures/selling/customers.ts';
import { type World, world } from '../../support/world.ts';

/** Requests with a text that people read: the path, the body with the text, and the field that an error names. */
const REQUESTS: readonly [path: string, body: (text: string) => object, field: string][] = [
  ['/products', (name) => ({ name, type: 'simple', price: 1 }), 'name'],
  ['/products', (sku) => ({ name: 'Cup', sku, type: 'simple', price: 1 }), 'sku'],
  ['/products', (tag) => ({ name: 'Cup', tags: [tag], type: 'simple', price: 1 }), 'tags.0'],
  ['/products', (tax_class) => ({ name: 'Cup', tax_class, type: 'simple', price: 1 }), 'tax_class'],
  ['/products', (value) => shirt({ Size: value }), 'variants.0.attributes.Size'],
  ['/products', (name) => ({ ...shirt({ Size: 'S' }), attributes: { Fit: [name] } }), 'attributes.Fit.0'],
  ['/categories', (name) => ({ name }), 'name'],
  ['/promotions', (name) => promotion(name), 'name'],
  ['/customers/register', (name) => registration({ name }), 'name'],
  ['/cart/:cart/shipping-address', (city) => ({ country: 'DE', city }), 'city'],
];

const shirt = (attributes: object) => ({
  ...{ name: 'Tee', type: 'configurable', price: 1 },
  variants: [{ sku: 'S', price: 1, attributes }],
});

const promotion = (name: string) => ({ name, trigger: 'automatic', effect: { kind: 'percent', value: 5 } });

async function send(shop: World, path: string, body: object) {
  if (!path.includes(':cart')) return shop.post(path, body);
  const { cart_token: cart } = (await shop.post('/cart', {})).body;
  return shop.put(path.replace(':cart', cart), body);
}

describe.each(REQUESTS)('%s', (path, body, field) => {
  it(`takes nothing that shows nothing, or turns what stands around it, as ${field}`, async () => {
    const shop = await world();
    for (const text of ['\u200b', ' \u2060\u00ad ', '\u3164', '\u2800', '\u202b\u202c']) {
      const { status, body: answer } = await send(shop, path, body(text));
      expect([status, Object.keys(answer.errors)], JSON.stringify(text)).toEqual([422, [field]]);
      expect(answer.errors[field]).toEqual(['must have at least 1 visible character']);
    }
    for (const text of [
      'A\u202eb',
      '\u2067A',
      'A\u202c',
      'A\u2069',
      '\u202bA\u2069',
      '\u2066\u202aA\u2069\u202c',
    ]) {
      const { status, body: answer } = await send(shop, path, body(text));
      expect([status, Object.keys(answer.errors)], JSON.stringify(text)).toEqual([422, [field]]);
      expect(answer.errors[field]).toEqual([
        'must close its controls of text direction (U+202A to U+202E, U+2066 to U+2069)',
      ]);
    }
  });
});

it('keeps what languages and emoji need, and directions that are closed', async () => {
  const shop = await world();
  const names = [
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d👩\u200d👧',
    'עברית\u200f!',
    '\u061cعربي',
    'A \u2068עברית\u2069 b',
    '\u202a+49 30 1\u202c',
  ];
  for (const name of names) expect((await createProduct(shop, { name })).body.name).toBe(name);
});

it('holds for imports: an empty cell is one that shows nothing', async () => {
  const shop = await world();
  const head = 'Handle,Title,Vendor,Tags,Type,Option1 Name,Option1 Value,Variant SKU,Variant Price\n';
  const lines = ['cup,Cup,\u200b,"a,\u2060",\u00ad,\u3164,\u3164,\u200b,5', 'mug,\u200b,,,,,,,5'];
  const done = await importFile(shop, `${head}${lines.join('\n')}\n`);
  expect(done).toMatchObject({ created: 1, failed: 1, errors: [{ line: 3 }] });
  expect(await productsBySlug(shop)).toMatchObject({
    cup: { type: 'simple', sku: 'cup', tags: ['a'], categories: [] },
  });
  const turned = [
    '\u202eCup,,,,,,,5',
    'Cup,\u202e,a\u202e,,,,,5',
    'Cup,,,\u2067A,,,,5',
    'Cup,,,,Si\u202eze,S,,5',
  ];
  const refused = await importFile(shop, `${head}${turned.map((line, n) => `p${n},${line}`).join('\n')}\n`);
  expect(refused).toMatchObject({ created: 0, failed: 4 });
  for (const { message } of refused.errors) expect(message).toContain('controls of text direction');
});
