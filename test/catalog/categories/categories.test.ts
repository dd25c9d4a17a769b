import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Category } from '../../../src/catalog/categories/schemas.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { type Answer, send, type World, world } from '../../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const make = async (shop: World, name: string, parent_id: number | null = null): Promise<Category> => {
  const made = await shop.post('/categories', { name, parent_id });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
};

/** A category of each name below the one before it. */
async function chain(shop: World, ...names: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) ids.push((await make(shop, name, ids.at(-1))).id);
  return ids;
}

/** The whole tree as it is now. */
async function tree(shop: World): Promise<Category[]> {
  return (await shop.get('/categories', NEWEST)).body.data;
}

/** "a > b" for each category of a tree, by the names on the way to it. */
const paths = (tree: readonly Category[], above = ''): string[] =>
  tree.flatMap(({ name, children }) => [`${above}${name}`, ...paths(children, `${above}${name} > `)]);

describe('the slug of a category', () => {
  it('is made from the name, and gets the id appended if another category has that slug', async () => {
    const shop = await world();
    expect((await make(shop, 'Grade 2')).slug).toBe('grade-2');
    expect((await make(shop, 'Grade')).slug).toBe('grade');
    const first = await make(shop, 'Zocks');
    const second = await make(shop, 'Zocks');
    expect([first.slug, second.slug]).toEqual(['zocks', `zocks-${second.id}`]);
    await shop.delete(`/categories/${first.id}`);
    expect((await make(shop, 'Zocks')).slug).toBe('zocks');
  });

  it('is never a conflict if none was requested', async () => {
    const shop = await world();
    const { id } = await make(shop, 'Zocks');
    for (const n of [1, 2, 3]) await shop.post('/categories', { name: 'x', slug: `zocks-${id + n + 3}` });
    const long = 'ж'.repeat(255);
    const slugs: string[] = [];
    for (const name of ['Zocks', 'Zocks', 'Zocks', long, long, '🙂', '🙂']) {
      slugs.push((await make(shop, name)).slug);
    }
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const slug of slugs) {
      expect(slug.length).toBeLessThanOrEqual(255);
      expect((await shop.post('/categories', { name: 'y', slug })).body.code).toBe('slug_taken');
    }
  });
});

it('has five levels at most, also where a category moves with those below it', async () => {
  const shop = await world();
  const below = async (parent_id: number | null, name: string) =>
    shop.post('/categories', { name, ...(parent_id !== null && { parent_id }) });
  const ids: number[] = [];
  for (let level = 1; level <= 5; level++)
    ids.push((await below(ids.at(-1) ?? null, `Level ${level}`)).body.id);
  const sixth = await below(ids[4] ?? 0, 'Level 6');
  expect([sixth.status, Object.keys(sixth.body.errors)]).toEqual([422, ['parent_id']]);
  const top = (await below(null, 'Top')).body.id;
  await below(top, 'Below');
  expect((await shop.patch(`/categories/${top}`, { parent_id: ids[3] })).status).toBe(422);
  expect((await shop.patch(`/categories/${top}`, { parent_id: ids[2] })).status).toBe(200);
});

describe('concurrent calls', () => {
  it('lose nothing below two categories that are deleted together', async () => {
    const shop = await world();
    const [a, b] = await chain(shop, 'a', 'b', 'c', 'd');
    beforeBatch(/DELETE FROM categories /, async () => {
      expect((await shop.delete(`/categories/${a}`)).status).toBe(204);
    });
    expect((await shop.delete(`/categories/${b}`)).status).toBe(204);
    expect(paths(await tree(shop))).toEqual(['c', 'c > d']);
  });

  it('change only the fields that each of them names, the later one last', async () => {
    const shop = await world();
    const [a, b] = await chain(shop, 'a', 'b');
    const c = await make(shop, 'c', a);
    beforeBatch(/UPDATE categories /, async () => {
      const more = {
        parent_id: b,
        slug: 'sea',
        image_url: 'https://img.example/c.jpg',
        seo: { title: 'Sea' },
      };
      expect((await shop.patch(`/categories/${c.id}`, more)).status).toBe(200);
    });
    const renamed = await shop.patch(`/categories/${c.id}`, { name: 'C', parent_id: a });
    expect(renamed.body).toMatchObject({ name: 'C', parent_id: a, slug: 'sea', seo: { title: 'Sea' } });
    expect(paths(await tree(shop))).toEqual(['a', 'a > b', 'a > C']);
  });

  it('never create a cycle', async () => {
    const shop = await world();
    const [a, b] = [(await make(shop, 'a')).id, (await make(shop, 'b')).id];
    beforeBatch(/UPDATE categories /, async () => {
      expect((await shop.patch(`/categories/${b}`, { parent_id: a })).status).toBe(200);
    });
    const refused = await shop.patch(`/categories/${a}`, { parent_id: b });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['parent_id']]);
    expect(paths(await tree(shop))).toEqual(['a', 'a > b']);
  });

  it('leave a tree that contains every category once, and lists that match it', async () => {
    const place = fc.nat({ max: 6 });
    const call = fc.oneof(
      fc.record({ kind: fc.constant('delete' as const), at: place }),
      fc.record({ kind: fc.constant('rename' as const), at: place }),
      fc.record({ kind: fc.constant('move' as const), at: place, to: fc.option(place) }),
      fc.record({ kind: fc.constant('make' as const), to: fc.option(place) }),
    );
    const rounds = fc.array(fc.array(call, { minLength: 2, maxLength: 6 }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(rounds, async (rounds) => {
        const shop = await world();
        let living = [...(await chain(shop, 'a', 'b', 'c')), ...(await chain(shop, 'd', 'e'))];
        for (const id of living) await list(shop, id);
        for (const calls of rounds) {
          const idOf = (n: number | null) => (n === null ? null : (living[n % living.length] ?? null));
          const answers = await Promise.all(
            calls.map((call): Promise<Answer> => {
              if (call.kind === 'make')
                return shop.post('/categories', { name: 'new', parent_id: idOf(call.to) });
              const path = `/categories/${idOf(call.at)}`;
              if (call.kind === 'delete') return shop.delete(path);
              const body = call.kind === 'move' ? { parent_id: idOf(call.to) } : { name: 'renamed' };
              return shop.patch(path, body);
            }),
          );
          for (const { status } of answers) expect([200, 201, 204, 404, 422]).toContain(status);
          living = await agrees(shop);
        }
      }),
      { numRuns: 8 },
    );
  });
});

/** Puts a product of its own into a category. */
async function list(shop: World, id: number): Promise<void> {
  const product = { name: `In ${id}`, type: 'simple', price: 1, category_ids: [id] };
  expect((await shop.post('/products', product)).status).toBe(201);
}

/** Holds the tree, what is noted of who is above whom, and the lists against each other; returns the living ids. */
async function agrees(shop: World): Promise<number[]> {
  const read = async <Row>(query: string) =>
    (await storeOf(shop).prepare(query).bind(shop.tenantId).all<Row>()).results;
  const rows = await read<{ id: number; parent_id: number | null }>(
    'SELECT id, parent_id FROM categories WHERE tenant_id = ?',
  );
  const above = new Map(rows.map(({ id, parent_id }) => [id, parent_id]));
  const lineOf = (id: number | null): number[] => (id === null ? [] : [id, ...lineOf(above.get(id) ?? null)]);
  const flat = (tree: readonly Category[]): number[] =>
    tree.flatMap(({ id, children }) => [id, ...flat(children)]);
  const sorted = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();

  expect(sorted(flat(await tree(shop)))).toEqual(sorted(rows.map(({ id }) => id)));
  const noted = await read<{ category_id: number; ancestor_id: number }>(
    'SELECT category_id, ancestor_id FROM category_ancestors WHERE tenant_id = ?',
  );
  expect(sorted(noted.map(({ category_id, ancestor_id }) => [category_id, ancestor_id]))).toEqual(
    sorted(rows.flatMap(({ id }) => lineOf(id).map((ancestor) => [id, ancestor]))),
  );
  const shelved = await read<{ product_id: number; category_id: number }>(
    'SELECT product_id, category_id FROM product_listings WHERE tenant_id = ? AND category_id > 0',
  );
  const placed = await read<{ product_id: number; category_id: number }>(
    'SELECT product_id, category_id FROM product_categories WHERE tenant_id = ?',
  );
  expect(sorted(shelved.map(({ product_id, category_id }) => [product_id, category_id]))).toEqual(
    sorted(placed.flatMap((row) => lineOf(row.category_id).map((category) => [row.product_id, category]))),
  );
  return rows.map(({ id }) => id);
}

it('takes an uploaded image of a service on this machine only where local URLs are allowed', async () => {
  const shop = await world();
  const { id } = await make(shop, 'Mugs');
  const image_url = `http://127.0.0.1:8787/media/demo/${'a'.repeat(64)}`;
  const body = { name: 'Cups', image_url };
  const local = { ...env, DEV_ALLOW_LOCAL_URLS: 'true' };
  const init = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  for (const [method, path, status] of [
    ['POST', '/categories', 201],
    ['PATCH', `/categories/${id}`, 200],
  ] as const) {
    const refused = await send(method, `/v1${path}`, { token: shop.token, body });
    expect([refused.status, refused.body.errors]).toEqual([422, { image_url: ['must be an https URL'] }]);
    const answer = await fetchWith(local, method, `/v1${path}`, shop.token, init);
    expect([answer.status, await answer.json()]).toMatchObject([status, { image_url }]);
  }
});
