import { describe, expect, it } from 'vitest';
import { asDeveloper, fieldsOf, fill } from '../../../support/fixtures/browser.ts';
import { importFile } from '../../../support/fixtures/catalog/imports.ts';
import { NEWEST } from '../../../support/fixtures/catalog/products.ts';
import { storeOf } from '../../../support/runtime/runtime.ts';
import { type World, world } from '../../../support/world.ts';

const root = '/developer/products';

const product = async (shop: World, more: object = {}): Promise<number> => {
  const made = await shop.post('/products', { name: 'Mug', type: 'simple', price: 10, stock: 9, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
};
const listed = (html: string): string[] =>
  [...html.matchAll(/\/developer\/products\/\d+">([^<]+)</g)].map(([, name = '']) => name);

describe('the list of products', () => {
  it('filters by status, type, stock and category, and sorts', async () => {
    const shop = await world();
    const category = (await shop.post('/categories', { name: 'Kitchen' })).body.id;
    await product(shop, { name: 'Cup', stock: 2, category_ids: [category] });
    await product(shop, { name: 'Bowl', stock: 0, status: 'inactive' });
    const links = [{ title: 'PDF', url: 'https://files.example.com/a.pdf' }];
    await product(shop, { name: 'Book', type: 'downloadable', stock: undefined, links });
    const developer = await asDeveloper(shop.slug);
    const names = async (query: string) => listed((await developer.get(`${root}?${query}`)).html);
    expect(await names('sort=name_asc')).toEqual(['Book', 'Bowl', 'Cup']);
    expect(await names('status=inactive')).toEqual(['Bowl']);
    expect(await names('type=downloadable')).toEqual(['Book']);
    expect(await names('stock=low')).toEqual(['Cup']);
    expect(await names('stock=out')).toEqual(['Bowl']);
    expect(await names('stock=in&sort=name_desc')).toEqual(['Cup', 'Book']);
    expect(await names(`category_id=${category}`)).toEqual(['Cup']);
    expect(developer.last.html).toContain(`value="${category}" selected`);
    await product(shop, { name: 'Jug', vendor: 'Studio Rie', tags: ['tall, narrow', 'blue'] });
    expect(await names('vendor=Studio+Rie')).toEqual(['Jug']);
    expect(developer.last.html).toMatch(/name="vendor" value="Studio Rie"/);
    expect(await names('tag=blue')).toEqual(['Jug']);
    expect(await names('tag=blue&page=9')).toEqual([]);
    expect(developer.last.html).toContain('There is no page 9');
    expect(await names('q=nothing')).toEqual([]);
    expect(developer.last.html).toContain('No products found');
  });

  it('says that the exported file ends after 10,000 products, if there are more', async () => {
    const shop = await world();
    await product(shop);
    const counted = (total: number) =>
      storeOf(shop)
        .prepare("UPDATE listing_counts SET total = ? WHERE tenant_id = ? AND status = 'active'")
        .bind(total, shop.tenantId)
        .run();
    const developer = await asDeveloper(shop.slug);
    const limit = 'Export has the 10000 oldest products at most';
    await counted(10_000);
    expect((await developer.get(root)).html).not.toContain(limit);
    await counted(10_001);
    await product(shop);
    expect((await developer.get(root)).html).toContain(limit);
  });

  it('finds a whole vendor or tag, with its commas and backslashes', async () => {
    const shop = await world();
    await product(shop, { name: 'Jug', vendor: 'Rie, Coper & Co', tags: ['tall, narrow'] });
    await product(shop, { name: 'Vase', vendor: 'Rie', tags: ['narrow', 'back\\slash,'] });
    const developer = await asDeveloper(shop.slug);
    const names = async (query: Record<string, string>) =>
      listed((await developer.get(`${root}?${new URLSearchParams(query)}`)).html);
    expect(await names({ vendor: 'Rie, Coper & Co' })).toEqual(['Jug']);
    expect(await names({ tag: 'tall, narrow' })).toEqual(['Jug']);
    expect(await names({ tag: 'back\\slash,' })).toEqual(['Vase']);
    expect(developer.last.html).toContain('name="tag" value="back\\slash,"');
    expect(await names({ vendor: 'Rie,' })).toEqual([]);
    expect(developer.last.status).toBe(200);
  });

  it('shows a small picture, and says in words what has no limit and what is sold out', async () => {
    const shop = await world();
    const url = `https://shop.example.com/media/shop/${'a'.repeat(64)}`;
    await product(shop, { name: 'Cup', images: [{ url }] });
    const links = [{ title: 'PDF', url: 'https://files.example.com/a.pdf' }];
    await product(shop, { name: 'Book', type: 'downloadable', stock: undefined, links });
    await product(shop, { name: 'Bowl', stock: 0 });
    const { html } = await (await asDeveloper(shop.slug)).get(`${root}?sort=name_asc`);
    expect(html).toContain(`${url}?w=160`);
    const rows = html
      .split('<tr>')
      .slice(2)
      .map((row) => [/(unlimited|sold out|>\d+<\/td)/.exec(row)?.[0]]);
    expect(rows).toEqual([['unlimited'], ['sold out'], ['>9</td']]);
  });
});

describe('a change of several products', () => {
  it('changes the ticked ones, and says what it did', async () => {
    const shop = await world();
    const [cup, bowl, dish] = [
      await product(shop, { name: 'Cup' }),
      await product(shop, { name: 'Bowl', price: 2 }),
      await product(shop, { name: 'Dish' }),
    ];
    const developer = await asDeveloper(shop.slug);
    const { html } = await developer.get(`${root}/bulk?ids=${cup}&ids=${bowl}`);
    expect(html).toContain('Change 2 products');
    const fields = fieldsOf(html, `${root}/bulk`);
    const none = await developer.post(`${root}/bulk`, fields);
    expect([none.status, none.html.includes('Choose at least one change.')]).toEqual([422, true]);
    const missing = await developer.post(`${root}/bulk`, { ...fields, price: 'lower' });
    expect([missing.status, missing.html.includes('f-by-error')]).toEqual([422, true]);
    const done = await developer.post(`${root}/bulk`, {
      ...fields,
      price: 'lower',
      by: '2,50',
      status: 'inactive',
    });
    expect(done.html).toContain('1 changed');
    expect(done.html).toMatch(/1 was refused and stays as it is.*Bowl.*price would be below 0/s);
    const read = async (id: number) => (await shop.get(`/products/${id}?status=all`, NEWEST)).body;
    expect(await read(cup)).toMatchObject({ price: 7.5, status: 'inactive' });
    expect(await read(bowl)).toMatchObject({ price: 2, status: 'active' });
    expect(await read(dish)).toMatchObject({ price: 10, status: 'active' });
  });

  it.each([
    ['set', '7', 7],
    ['raise', '2,50', 12.5],
    ['lower_percent', '10', 9],
  ])('changes prices by %s %s from 10 to %s, and moves between categories', async (price, by, after) => {
    const shop = await world();
    const [sale, fresh] = await Promise.all(
      ['Sale', 'New'].map(async (name) => (await shop.post('/categories', { name })).body.id),
    );
    const cup = await product(shop, { name: 'Cup', category_ids: [fresh] });
    const developer = await asDeveloper(shop.slug);
    const change = { price, by, add_category_ids: String(sale), remove_category_ids: String(fresh) };
    const here = `${root}/bulk`;
    expect((await fill(developer, `${here}?ids=${cup}`, here, change)).html).toContain('1 changed');
    const { body } = await shop.get(`/products/${cup}`, NEWEST);
    expect(body).toMatchObject({ price: after, categories: [{ id: sale }] });
  });

  it('sets no price of one for a thousand', async () => {
    const shop = await world();
    const piano = await product(shop, { name: 'Piano' });
    const developer = await asDeveloper(shop.slug);
    const page = await developer.get(`${root}/bulk?ids=${piano}`);
    const fields = fieldsOf(page.html, `${root}/bulk`);
    for (const by of ['1.000', '1,000']) {
      const { status, html } = await developer.post(`${root}/bulk`, { ...fields, price: 'set', by });
      expect([status, html.includes('without a separator of thousands')]).toEqual([422, true]);
    }
    const { html } = await developer.post(`${root}/bulk`, {
      ...fields,
      price: 'raise_percent',
      by: '12.500',
    });
    expect(html).toContain('1 changed');
  });

  it('asks for a choice when nothing is ticked', async () => {
    const { html } = await (await asDeveloper((await world()).slug)).get(`${root}/bulk`);
    expect(html).toContain('No product is ticked');
  });

  it('offers to change the only product that is found', async () => {
    const shop = await world();
    await shop.post('/products', { name: 'Cup', type: 'simple', price: 5 });
    const developer = await asDeveloper(shop.slug);
    expect((await developer.get(root)).html).toMatch(/bulk\?all=yes">Change this product</);
    await shop.post('/products', { name: 'Pot', type: 'simple', price: 5 });
    expect((await developer.get(root)).html).toMatch(/bulk\?all=yes">Change all 2</);
  });

  it('changes all that match, in steps of 100', async () => {
    const shop = await world({ plan: 'enterprise' });
    const category = (await shop.post('/categories', { name: 'New' })).body.id;
    const lines = Array.from({ length: 130 }, (_, n) => `mug-${n},Mug ${n},${n < 120 ? 'Acme' : 'Other'},5`);
    await importFile(shop, `Handle,Title,Vendor,Variant Price\n${lines.join('\n')}\n`);
    const developer = await asDeveloper(shop.slug);
    const { html } = await developer.get(`${root}/bulk?all=yes&vendor=acme`);
    expect(html).toContain('Change 120 products');
    const fields = {
      ...fieldsOf(html, `${root}/bulk`),
      price: 'raise_percent',
      by: '10',
      status: 'inactive',
      add_category_ids: String(category),
    };
    const first = await developer.post(`${root}/bulk`, fields);
    expect(first.html).toContain('100 of 120 products are done.');
    const last = await developer.post(`${root}/bulk/step`, fieldsOf(first.html, `${root}/bulk/step`));
    expect(last.html).toContain('The change is done.');
    expect(last.html).toContain('120 changed');
    const changed = `status=inactive&category_id=${category}&price_min=5.5&price_max=5.5`;
    expect((await shop.get(`/products?${changed}`, NEWEST)).body.meta.total).toBe(120);
  });

  it.each(['', 'x', '{}', '{"ids":[1],"change":{}}'])('refuses to continue from %j', async (progress) => {
    const developer = await asDeveloper((await world()).slug);
    await developer.get(`${root}/bulk?ids=1`);
    expect((await developer.post(`${root}/bulk/step`, { progress })).status).toBe(422);
  });
});
