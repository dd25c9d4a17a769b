import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { runImport } from '../../../src/imports/run/run-import.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import {
  ctx,
  finishImport,
  importFile,
  listBySlug,
  productsBySlug,
} from '../../support/fixtures/catalog/imports.ts';
import { NEWEST, patchProduct } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';
import { productsFile, uploadUnqueued } from '../import-steps.ts';

it('counts and writes everything once with several concurrent runs', async () => {
  const shop = await world();
  const id = await uploadUnqueued(shop, productsFile(80));
  const run = async () => {
    while (await runImport(tenantContext({ env, ctx }, shop.tenantId), id));
  };
  await Promise.all([run(), run(), run()]);
  const done = await finishImport(shop, id);
  expect(done).toMatchObject({ status: 'done', created: 72, updated: 0, unchanged: 0, failed: 8 });
  expect(done.processed).toBe(done.rows);
  expect(Object.keys(await listBySlug(shop))).toHaveLength(72);
});

it('imports one file twice at the same time', async () => {
  const shop = await world();
  const ids = await Promise.all([
    uploadUnqueued(shop, productsFile(60)),
    uploadUnqueued(shop, productsFile(60)),
  ]);
  const [a, b] = await Promise.all(ids.map((id) => finishImport(shop, id)));
  expect(a.created + b.created).toBe(54);
  expect(a.unchanged + b.unchanged).toBe(54);
  expect([a.failed, b.failed]).toEqual([6, 6]);
});

it('creates each category once, whichever of two concurrent imports is first', async () => {
  const shop = await world();
  const file = (...types: string[]) =>
    `Handle,Title,Price,Product Category\n${types.map((type, n) => `p-${n},P,1,${type}\n`).join('')}`;
  const [first, second] = [
    await uploadUnqueued(shop, file('Apparel > Tops', 'Apparel > Hats', 'Toys')),
    await uploadUnqueued(shop, file('apparel > tops', 'Apparel > Socks', 'Toys')),
  ];
  beforeBatch(/INSERT INTO categories /, async () => {
    expect(await finishImport(shop, second)).toMatchObject({ status: 'done', created: 3, failed: 0 });
  });
  expect(await finishImport(shop, first)).toMatchObject({ status: 'done', failed: 0 });
  vi.restoreAllMocks();
  const { data } = (await shop.get('/categories', NEWEST)).body;
  type Named = { name: string; children: Named[] };
  const names = (list: Named[]): unknown => list.map((one) => [one.name, names(one.children)]);
  expect(names(data)).toEqual([
    [
      'apparel',
      [
        ['Hats', []],
        ['Socks', []],
        ['tops', []],
      ],
    ],
    ['Toys', []],
  ]);
});

it.each([
  ['Café', 'CAFÉ'],
  ['Straße', 'Strasse'],
  ['Drinks > Café', 'drinks > cafe'],
])('creates the category %s once beside an import that calls it %s', async (one, other) => {
  const shop = await world();
  await shop.post('/categories', { name: 'Drinks' });
  const file = (slug: string, name: string) => `Handle,Title,Price,Product Category\n${slug},P,1,${name}\n`;
  const [first, second] = [
    await uploadUnqueued(shop, file('a', one)),
    await uploadUnqueued(shop, file('b', other)),
  ];
  beforeBatch(/INSERT INTO categories /, async () => {
    expect(await finishImport(shop, second)).toMatchObject({ created: 1, failed: 0 });
  });
  expect(await finishImport(shop, first)).toMatchObject({ created: 1, failed: 0 });
  vi.restoreAllMocks();
  const { a, b } = await productsBySlug(shop);
  expect(a.categories).toHaveLength(1);
  expect(a.categories).toEqual(b.categories);
});

it('creates a category beside another client that does not stop creating some', async () => {
  const shop = await world();
  const id = await uploadUnqueued(shop, 'Handle,Title,Price,Product Category\ntea,Tea,1,Drinks\n');
  let others = 0;
  const createFirst = () =>
    beforeBatch(/INSERT INTO categories /, async () => {
      expect((await shop.post('/categories', { name: `Shelf ${others++}` })).status).toBe(201);
      createFirst();
    });
  createFirst();
  expect(await finishImport(shop, id)).toMatchObject({ created: 1, failed: 0 });
  vi.restoreAllMocks();
  expect(others).toBeGreaterThan(1);
  expect((await productsBySlug(shop)).tea.categories).toMatchObject([{ name: 'Drinks' }]);
});

it('succeeds beside concurrent changes of the same products', async () => {
  const shop = await world();
  await importFile(shop, productsFile(30));
  const before = await productsBySlug(shop);
  const id = await uploadUnqueued(shop, productsFile(30, 11));
  const [done] = await Promise.all([
    finishImport(shop, id),
    ...Object.values(before).map((body) => patchProduct(shop, { body }, { vendor: 'Somebody' })),
  ]);
  expect(done).toMatchObject({ status: 'done', updated: 27, failed: 3 });
  for (const product of Object.values(await productsBySlug(shop))) {
    expect(product).toMatchObject({ price: 11, vendor: 'Somebody' });
  }
});
