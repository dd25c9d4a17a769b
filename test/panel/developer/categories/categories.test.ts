import { expect, it } from 'vitest';
import { png } from '../../../media/images.ts';
import { asDeveloper, fieldsOf, fill } from '../../../support/fixtures/browser.ts';
import { NEWEST } from '../../../support/fixtures/catalog/products.ts';
import { pageWeight } from '../../../support/fixtures/page-weight.ts';
import { storeOf } from '../../../support/runtime/runtime.ts';
import { type World, world } from '../../../support/world.ts';

const root = '/developer/categories';

const make = async (shop: World, name: string, more: object = {}): Promise<number> =>
  (await shop.post('/categories', { name, ...more })).body.id;

/** The tree as nested names. */
async function tree(shop: World) {
  type Node = { name: string; children: Node[] };
  const names = (nodes: Node[]): unknown[] =>
    nodes.flatMap(({ name, children }) => [name, ...(children.length ? [names(children)] : [])]);
  return names((await shop.get('/categories?hidden=true', NEWEST)).body.data);
}

it('creates a category with a picture, changes all of it, and shows it in the tree', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get(root)).html).toContain('No categories yet');
  const made = await fill(developer, `${root}/new`, `${root}/new`, {
    name: 'Clothing',
    description: 'What to wear',
  });
  expect([made.status, made.html.includes('Created.')]).toEqual([200, true]);
  const id = Number(/categories\/(\d+)"/.exec(made.html)?.[1]);
  const { html } = await developer.get(`${root}/${id}`);
  const body = new FormData();
  const fields = {
    ...fieldsOf(html, `${root}/${id}`),
    name: 'Clothes',
    slug: 'clothes',
    hidden: 'yes',
    'seo.title': 'Buy clothes',
  };
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
  body.append('picture', new File([png(300, 200)], 'shirt.png', { type: 'image/png' }));
  const saved = await developer.send('POST', `${root}/${id}`, body, { origin: 'https://api.example.com' });
  expect(saved.status, saved.html).toBe(303);
  const stored = (await shop.get(`/categories/${id}?hidden=true`, NEWEST)).body;
  expect(stored).toMatchObject({
    name: 'Clothes',
    slug: 'clothes',
    hidden: true,
    description: 'What to wear',
    seo: { title: 'Buy clothes' },
    image_url: expect.stringMatching(/\/media\/.+\/[0-9a-f]{64}$/),
  });
  expect((await developer.get(`${root}/${id}`)).html).toContain(`${stored.image_url}?w=160`);
});

it('names the category in the link of how many products it has', async () => {
  const shop = await world();
  await make(shop, 'Mugs');
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get(root)).html).toContain('aria-label="0 products in Mugs">0</a>');
});

it('keeps what was typed when a field is wrong, and names it', async () => {
  const shop = await world();
  await make(shop, 'Mugs');
  const developer = await asDeveloper(shop.slug);
  const refused = await fill(developer, `${root}/new`, `${root}/new`, {
    name: 'Cups',
    slug: 'mugs',
    description: 'For tea',
  });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain('value="Cups"');
  expect(refused.html).toContain('>For tea<');
  expect(refused.html).toMatch(/id="f-slug-error"/);
});

it('keeps an uploaded picture in a form with an error in another field', async () => {
  const shop = await world();
  const id = await make(shop, 'Mugs');
  const developer = await asDeveloper(shop.slug);
  for (const path of [`${root}/new`, `${root}/${id}`]) {
    const { html } = await developer.get(path);
    const body = new FormData();
    for (const [name, value] of Object.entries(fieldsOf(html, path))) body.append(name, String(value));
    body.set('name', 'Cups');
    body.set('slug', 'no slug');
    body.append('picture', new File([png(30, 20)], 'cup.png', { type: 'image/png' }));
    const refused = await developer.send('POST', path, body, { origin: 'https://api.example.com' });
    expect([refused.status, refused.html.includes('f-slug-error')], path).toEqual([422, true]);
    const [{ url }] = (await shop.get('/media')).body.data;
    expect(fieldsOf(refused.html, path).image_url, path).toBe(url);
  }
});

it('refuses a file that is no picture, beside its field', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(`${root}/new`);
  const body = new FormData();
  for (const [name, value] of Object.entries(fieldsOf(html, `${root}/new`))) body.append(name, String(value));
  body.set('name', 'Mugs');
  body.append('picture', new File(['<svg/>'], 'mug.png', { type: 'image/png' }));
  const refused = await developer.send('POST', `${root}/new`, body, { origin: 'https://api.example.com' });
  expect([refused.status, refused.html.includes('f-picture-error')]).toEqual([415, true]);
  expect(await tree(shop)).toEqual([]);
});

it.each([
  ['C', 'up', ['A', 'C', 'B']],
  ['A', 'down', ['B', 'A', 'C']],
])('moves %s %s by one place, also by a double click', async (name, way, order) => {
  const shop = await world();
  for (const one of ['A', 'B', 'C']) await make(shop, one);
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(root);
  const pressed = html.split('<button').find((button) => button.includes(`aria-label="Move ${name} ${way}"`));
  const [, button = '', value = ''] = /name="([^"]*)" value="([^"]*)"/.exec(pressed ?? '') ?? [];
  for (const _ of [1, 2]) {
    const moved = await developer.submit(root, { ...fieldsOf(html, root), [button]: value });
    expect([moved.status, moved.html.includes('Moved.')]).toEqual([200, true]);
    expect(await tree(shop)).toEqual(order);
  }
});

it('moves a category beside and into another', async () => {
  const shop = await world();
  const [a, b, c] = [await make(shop, 'A'), await make(shop, 'B'), await make(shop, 'C')];
  const developer = await asDeveloper(shop.slug);
  const move = async (fields: Record<string, string>) => {
    await developer.get(root);
    const moved = await developer.submit(root, fields);
    expect([moved.status, moved.html.includes('Moved.')]).toEqual([200, true]);
  };
  await move({ moved: String(c), target: String(a), side: 'into' });
  expect(await tree(shop)).toEqual(['A', ['C'], 'B']);
  await move({ moved: String(c), target: String(b), side: 'before' });
  expect(await tree(shop)).toEqual(['A', 'C', 'B']);
  await move({ moved: String(a), target: String(b), side: 'after' });
  expect(await tree(shop)).toEqual(['C', 'B', 'A']);
  // No category may be moved below itself.
  await move({ moved: String(a), target: String(b), side: 'into' });
  await developer.get(root);
  const refused = await developer.submit(root, { moved: String(b), target: String(a), side: 'into' });
  expect(refused.status).toBe(422);
  expect(await tree(shop)).toEqual(['C', 'B', ['A']]);
});

it('says before it deletes what becomes of products and subcategories', async () => {
  const shop = await world();
  const kitchen = await make(shop, 'Kitchen');
  const mugs = await make(shop, 'Mugs', { parent_id: kitchen });
  await make(shop, 'Espresso cups', { parent_id: mugs });
  const made = await shop.post('/products', { name: 'Mug', type: 'simple', price: 5, category_ids: [mugs] });
  const developer = await asDeveloper(shop.slug);
  const here = `${root}/${mugs}/delete`;
  const { html } = await developer.get(here);
  expect(html).toContain('1 active product is in it and below it.');
  expect(html).toMatch(/1 subcategory moves up to <b>Kitchen<\/b>, with its products\./);
  expect(await tree(shop)).toEqual(['Kitchen', ['Mugs', ['Espresso cups']]]);
  expect((await developer.submit(here, fieldsOf(html, here))).html).toContain('Removed.');
  expect(await tree(shop)).toEqual(['Kitchen', ['Espresso cups']]);
  expect((await shop.get(`/products/${made.body.id}`, NEWEST)).body.categories).toEqual([]);
});

/** Stores many categories at once, the first hundred of which are roots. */
async function makeMany({ tenantId }: World, count: number): Promise<void> {
  const [{ last = 0 } = {}] = (
    await storeOf({ tenantId }).prepare("SELECT value AS last FROM sequences WHERE name = 'category'").all<{
      last: number;
    }>()
  ).results;
  const rows = Array.from({ length: count }, (_, n) => ({
    id: last + n + 1,
    parent: n < 100 ? null : last + 1 + (n % 100),
    name: `Category ${n} "&<>${'x'.repeat(60)}`,
  }));
  await storeOf({ tenantId }).batch([
    storeOf({ tenantId })
      .prepare(
        `INSERT INTO categories (id, tenant_id, parent_id, name, slug, updated_at) SELECT value ->> 'id', ?1,
        value ->> 'parent', value ->> 'name', 'slug-' || (value ->> 'id'), 0 FROM json_each(?2)`,
      )
      .bind(tenantId, JSON.stringify(rows)),
    storeOf({ tenantId })
      .prepare(
        `INSERT INTO category_ancestors (tenant_id, category_id, ancestor_id, distance)
        SELECT ?1, value ->> 'id', value ->> 'id', 0 FROM json_each(?2)
        UNION ALL SELECT ?1, value ->> 'id', value ->> 'parent', 1 FROM json_each(?2) WHERE value ->> 'parent' IS NOT NULL`,
      )
      .bind(tenantId, JSON.stringify(rows)),
    storeOf({ tenantId })
      .prepare("UPDATE sequences SET value = value + ? WHERE name = 'category'")
      .bind(count),
  ]);
}

it('finds one of 2,000 categories in the picker, and keeps the choice and all that was typed', async () => {
  const shop = await world({ plan: 'enterprise' });
  await make(shop, 'First');
  await makeMany(shop, 2_000);
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(`${root}/new`);
  expect(await pageWeight(html)).toBeLessThan(30 * 1024);
  expect(html).toContain('2001 categories in all');
  const typed = { ...fieldsOf(html, `${root}/new`), name: 'Cups', description: 'For tea' };
  const found = await developer.post(`${root}/new`, {
    ...typed,
    '_q.parent_id': 'category 1234',
    _find: 'parent_id',
  });
  expect(found.status).toBe(200);
  expect(found.html).toContain('value="Cups"');
  expect(found.html).toContain('>For tea<');
  const offer = /<div class="found".*?<\/div>/s.exec(found.html)?.[0] ?? '';
  const id = /value="(\d+)"/.exec(offer)?.[1] ?? '';
  expect(offer).toMatch(/Category 34 .* › Category 1234 /);
  const none = await developer.post(`${root}/new`, {
    ...typed,
    parent_id: id,
    '_q.parent_id': 'nothing',
    _find: 'parent_id',
  });
  expect(none.html).toContain('No category matches “nothing”.');
  expect(none.html).toMatch(new RegExp(`value="${id}" checked`));
  expect((await developer.submit(`${root}/new`, { ...typed, parent_id: id })).html).toContain('Created.');
  const all = (await shop.get('/categories', NEWEST)).body.data as {
    children: { name: string; children: { name: string }[] }[];
  }[];
  expect(
    all.flatMap((one) => one.children).find((one) => one.name.startsWith('Category 1234 '))?.children,
  ).toMatchObject([{ name: 'Cups' }]);
  const open = await developer.get(`${root}?open=${id}`);
  expect(open.html).toContain('Cups');
  expect(await pageWeight(open.html)).toBeLessThan(30 * 1024);
});
