import { describe, expect, it } from 'vitest';
import { importFile } from '../../support/fixtures/catalog/imports.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
import { lazy } from '../../support/lazy.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { send, type World, world } from '../../support/world.ts';

/** Why an import can't create a category with a long name. */
const IMPORT_MESSAGE = 'The texts of all categories would be longer than 8388608 bytes.';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

async function make(shop: World, name: string, more: object = {}): Promise<number> {
  const made = await shop.post('/categories', { name, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

const product = (shop: World, category_ids: number[], more: object = {}) =>
  shop.post('/products', { name: 'Cup', type: 'simple', price: 10, category_ids, ...more });

/** Reads as a shop's page does: with a token that shoppers see. */
async function storefront(shop: World) {
  const { token } = await shop.register({ kind: 'storefront' });
  return (path: string) => send('GET', `/v1${path}`, { token, ...NEWEST });
}

describe('the fields of a category', () => {
  it('are set and read back', async () => {
    const shop = await world();
    const id = await make(shop, 'Mugs', { description: 'Stoneware.', metadata: { erp: '7' } });
    const made = (await shop.get(`/categories/${id}`, NEWEST)).body;
    expect(made).toMatchObject({ description: 'Stoneware.', hidden: false, metadata: { erp: '7' } });
    const patched = await shop.patch(`/categories/${id}`, { description: null, metadata: {} });
    expect(patched.body).toMatchObject({ description: null, metadata: {}, name: 'Mugs' });
    expect(patched.body.updated_at > made.updated_at).toBe(true);
  });

  it.each([
    ['description', 'x'.repeat(65_536)],
    ['hidden', 'yes'],
    ['metadata', { ['k'.repeat(41)]: 'v' }],
    ['metadata', { k: 'v'.repeat(501) }],
    ['metadata', { k: 1 }],
    ['metadata', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'v']))],
    ['product_count', 7],
  ])('are refused by name: %s', async (field, value) => {
    const shop = await untouched();
    const refused = await shop.post('/categories', { name: 'Mugs', [field]: value });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors)[0]).toContain(field);
  });

  it('are bounded in all categories together, which are read at once', async () => {
    const shop = await world();
    const long = 'x'.repeat(65_000);
    const [first, second] = [await make(shop, 'Mugs'), await make(shop, 'Cups', { description: long })];
    const fillers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => make(shop, name)));
    await storeOf(shop)
      .prepare('UPDATE categories SET description = hex(zeroblob(?)) WHERE id IN (?, ?, ?, ?, ?)')
      .bind((4 * 1024 * 1024 - 60_000) / 5, first, ...fillers)
      .run();
    const refused = await shop.post('/categories', { name: 'Bowls', description: long });
    const message = 'makes the texts of all categories longer than 8388608 bytes';
    expect([refused.status, refused.body.errors]).toEqual([422, { description: [message] }]);
    const seo = { description: 'x'.repeat(400) };
    expect((await shop.patch(`/categories/${second}`, { description: `${long}x`, seo })).status).toBe(200);
    const grown = await shop.patch(`/categories/${first}`, { description: `${long}y` });
    expect(grown.status).toBe(200);
    expect((await shop.post('/categories', { name: 'Bowls', description: long })).status).toBe(201);
  });

  it.each(['name', 'slug', 'description'])('count as they are sent: a long %s', async (column) => {
    const shop = await world();
    const fillers = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => make(shop, name)));
    // A control character takes six bytes in JSON.
    await storeOf(shop)
      .prepare(`UPDATE categories SET ${column} = id || replace(hex(zeroblob(?)), '00', char(1))
        WHERE id IN (?, ?, ?, ?, ?)`)
      .bind((8 * 1024 * 1024) / 6 / 5, ...fillers)
      .run();
    const message = 'makes the texts of all categories longer than 8388608 bytes';
    const wide = '\u6728'.repeat(255);
    const named = await shop.post('/categories', { name: wide });
    expect([named.status, named.body.errors]).toEqual([422, { name: [message] }]);
    const slug = `m-${'\u6728'.repeat(200)}`;
    const slugged = await shop.post('/categories', { name: 'Mugs', slug });
    expect([slugged.status, slugged.body.errors]).toEqual([422, { slug: [message] }]);
    const mugs = await make(shop, 'Mugs');
    const renamed = await shop.patch(`/categories/${mugs}`, { name: wide });
    expect([renamed.status, renamed.body.errors]).toEqual([422, { name: [message] }]);

    const file = `Handle,Title,Product Category,Variant Price\ncup,Cup,${wide},5\npot,Pot,Pots,5\n`;
    const line = { line: 2, message: `Its category can't be created. ${IMPORT_MESSAGE}` };
    for (const query of ['?dry_run=true', '']) {
      const done = await importFile(shop, file, query);
      expect(done, query).toMatchObject({ created: 1, failed: 1, errors: [line] });
    }
  });

  it('count active products, each once, with those of descendants', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const kitchen = await make(shop, 'Kitchen');
    const mugs = await make(shop, 'Mugs', { parent_id: kitchen });
    const counts = async () => {
      const { body } = await shop.get(`/categories/${kitchen}`, NEWEST);
      return [body.product_count, body.children[0]?.product_count];
    };
    expect(await counts()).toEqual([0, 0]);
    await product(shop, [mugs]);
    await product(shop, [mugs, kitchen]);
    await product(shop, [kitchen]);
    const idle = await product(shop, [mugs], { status: 'inactive' });
    expect(await counts()).toEqual([3, 2]);
    await shop.patch(`/products/${idle.body.id}`, { status: 'active' });
    expect(await counts()).toEqual([4, 3]);
    await shop.delete(`/products/${idle.body.id}`);
    expect(await counts()).toEqual([3, 2]);
    await shop.patch(`/categories/${mugs}`, { parent_id: null });
    expect((await counts())[0]).toBe(2);
  });

  it('show metadata to catalog:write alone, at the same URL, whichever token is used first', async () => {
    const shop = await world();
    const id = await make(shop, 'Mugs', { metadata: { erp: '7' } });
    const { token } = await shop.register({ kind: 'storefront' });
    for (const path of ['/v1/categories', `/v1/categories/${id}`, '/v1/categories/slug/mugs']) {
      for (let n = 0; n < 3; n++) {
        expect(JSON.stringify((await send('GET', path, { token })).body)).not.toContain('erp');
        expect(JSON.stringify((await send('GET', path, { token: shop.token })).body)).toContain('erp');
      }
    }
  });
});

describe('a hidden category', () => {
  it('is left out of public reads with its descendants', async () => {
    const shop = await world();
    const top = await make(shop, 'Top');
    const staff = await make(shop, 'Staff', { parent_id: top, hidden: true });
    const below = await make(shop, 'Below', { parent_id: staff });
    const get = await storefront(shop);
    const cup = await product(shop, [top, staff, below]);
    const ids = (body: { id: number }[]) => body.map(({ id }) => id);

    const tree = (await get('/categories')).body.data;
    expect(tree).toMatchObject([{ id: top, children: [] }]);
    expect((await get(`/categories/${top}`)).body.children).toEqual([]);
    for (const path of [`${staff}`, `${below}`, 'slug/staff', 'slug/below']) {
      expect((await get(`/categories/${path}`)).body.code).toBe('category_not_found');
    }
    expect(ids((await get(`/products/${cup.body.id}`)).body.categories)).toEqual([top]);
    expect(ids((await get('/products?include=categories')).body.data[0].categories)).toEqual([top]);
    expect(ids(cup.body.categories)).toEqual([top, staff, below]);

    const whole = (await shop.get('/categories?hidden=true', NEWEST)).body.data;
    expect(whole).toMatchObject([{ id: top, children: [{ id: staff, children: [{ id: below }] }] }]);
    expect((await shop.get(`/categories/${below}?hidden=true`, NEWEST)).status).toBe(200);
    expect((await get('/categories?hidden=true')).body).toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'catalog:write' },
    });
    expect((await get('/categories?hidden=1')).body.errors).toHaveProperty('hidden');

    await shop.patch(`/categories/${staff}`, { hidden: false });
    expect((await get('/categories/slug/below')).body.id).toBe(below);
  });
});

describe('a slug', () => {
  it('keeps finding its category after a rename, until another takes it', async () => {
    const shop = await world();
    const get = await storefront(shop);
    const mugs = await make(shop, 'Mugs');
    await shop.patch(`/categories/${mugs}`, { slug: 'cups' });
    await shop.patch(`/categories/${mugs}`, { slug: 'becher' });
    for (const slug of ['mugs', 'cups', 'becher']) {
      expect((await get(`/categories/slug/${slug}`)).body).toMatchObject({ id: mugs, slug: 'becher' });
    }
    const other = await make(shop, 'Other', { slug: 'cups' });
    expect((await get('/categories/slug/cups')).body.id).toBe(other);
    await shop.patch(`/categories/${other}`, { slug: 'mugs' });
    expect((await get('/categories/slug/mugs')).body.id).toBe(other);
    expect((await get('/categories/slug/cups')).body.id).toBe(other);
    await shop.delete(`/categories/${other}`);
    expect((await get('/categories/slug/mugs')).status).toBe(404);
    expect((await get('/categories/slug/becher')).body.id).toBe(mugs);
    expect((await get('/categories/slug/BECHER')).body.errors).toHaveProperty('slug');
  });

  it('is remembered 20 times', async () => {
    const shop = await world();
    const id = await make(shop, 'Mugs', { slug: 's0' });
    for (let n = 1; n <= 22; n++) await shop.patch(`/categories/${id}`, { slug: `s${n}` });
    const kept = await storeOf(shop)
      .prepare('SELECT slug FROM former_slugs WHERE tenant_id = ? ORDER BY position')
      .bind(shop.tenantId)
      .all<{ slug: string }>();
    expect(kept.results.map(({ slug }) => slug)).toEqual(Array.from({ length: 20 }, (_, n) => `s${n + 2}`));
    expect((await shop.get('/categories/slug/s1')).status).toBe(404);
  });
});

describe('category.updated', () => {
  it('reports what was created, changed, moved and deleted, without metadata', async () => {
    const shop = await world();
    const receiver = new Receiver();
    await subscribe(shop, receiver.url, ['category.updated']);
    const came = async (count: number) => {
      await until(() => expect(receiver.received).toHaveLength(count));
      return receiver.received
        .map(({ body }) => JSON.parse(body).data)
        .toSorted((a, b) => a.sequence - b.sequence || a.id - b.id);
    };
    const top = await make(shop, 'Top', { metadata: { secret: 'x' } });
    const inner = await make(shop, 'Inner', { parent_id: top, description: 'In "it".' });
    const leaf = await make(shop, 'Leaf');
    await shop.patch(`/categories/${leaf}`, { parent_id: inner, hidden: true, name: 'Leaf' });
    await shop.delete(`/categories/${inner}`);
    const events = await came(6);
    expect(events.map(({ id, changed }) => [id, changed])).toEqual([
      [top, ['created']],
      [inner, ['created']],
      [leaf, ['created']],
      [leaf, ['parent_id', 'hidden']],
      [inner, ['deleted']],
      [leaf, ['parent_id']],
    ]);
    expect(JSON.stringify(events)).not.toContain('secret');
    expect(events[4]).toMatchObject({ name: 'Inner', description: 'In "it".', hidden: false });
    const { body } = await shop.get(`/categories/${leaf}?hidden=true`, NEWEST);
    const { sequence, occurred_at, changed, ...data } = events[5] ?? {};
    expect(body).toMatchObject(data);
    expect(data.parent_id).toBe(top);
    await shop.patch(`/categories/${leaf}`, { slug: 'blatt', name: 'Blatt' });
    expect((await came(7))[6]).toMatchObject({ slug: 'blatt', former_slug: 'leaf' });
    expect(events.filter((event) => 'former_slug' in event)).toEqual([]);
  });
});
