import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { patchCategory, removeCategory } from '../../../src/catalog/categories/change-category.ts';
import { createCategory } from '../../../src/catalog/categories/create-category.ts';
import { loadCategory } from '../../../src/catalog/categories/store.ts';
import { catalogContext } from '../../../src/catalog/context.ts';
import { NO_FILTERS } from '../../../src/catalog/filters/facets.ts';
import { writeNextChunk } from '../../../src/catalog/indexing/relisting.ts';
import { searchSourcesAfter } from '../../../src/catalog/indexing/search-source.ts';
import { listProducts } from '../../../src/catalog/reads/list-products.ts';
import { readFeed } from '../../../src/feed/marketplace/store.ts';
import { batchedReads } from '../../../src/kernel/data/batched-database.ts';
import { database } from '../../../src/kernel/data/database.ts';
import { WITHOUT_KEY } from '../../../src/kernel/http/idempotency.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';
import { type Item, Model } from './tree-model.ts';

/** Lists are brought up to date so many products at a time: few, so that most changes leave some for later. */
const CHUNK = 2;

type Step =
  | { do: 'move'; at: number; to: number | null }
  | { do: 'remove'; at: number }
  | { do: 'make'; at: number | null }
  | { do: 'relist' }
  | { do: 'put'; at: number; into: number[] }
  | { do: 'price'; at: number; price: number };

const at = fc.nat({ max: 30 });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant<'move'>('move'), at, to: fc.option(at) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant<'remove'>('remove'), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant<'make'>('make'), at: fc.option(at) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant<'relist'>('relist') }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant<'put'>('put'), at, into: fc.array(at, { maxLength: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant<'price'>('price'), at, price: fc.integer({ min: 1, max: 9 }) }),
  },
);

it('lists what the category tree contains before, during and after moves and deletions', {
  timeout: 300_000,
}, async () => {
  let during = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 25 }), async (steps) => {
      const shop = await world();
      const model = await furnished(shop);
      for (const one of steps) {
        await take(shop, model, one);
        during += (await relisting(shop)) > 0 ? 1 : 0;
        await agrees(shop, model);
      }
      while (await writeNextChunk(contextOf(shop), CHUNK)) await agrees(shop, model);
      await atRest(shop, model);
    }),
    { numRuns: 8 },
  );
  expect(during).toBeGreaterThan(10);
});

const contextOf = ({ tenantId }: World) =>
  catalogContext(
    { env, ctx: { waitUntil: () => undefined } },
    { tenantId, currency: 'EUR', currencies: ['EUR'] },
  );

/** A tree four levels deep with some products on each level, a few in two categories. */
async function furnished(shop: World): Promise<Model> {
  const model = new Model();
  let parent: number | null = null;
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    if (name === 'e') parent = null;
    parent = await make(shop, model, name, parent);
  }
  const ids = [...model.categories.keys()];
  for (let n = 0; n < 9; n++) {
    const categories = [...new Set([ids[n % 4] ?? 0, ...(n % 3 === 0 ? [ids[(n * 5) % 6] ?? 0] : [])])];
    const status = n === 4 ? 'inactive' : 'active';
    const body = { name: `P ${n}`, type: 'simple', price: 1 + (n % 4), status, category_ids: categories };
    const made = await shop.post('/products', body);
    expect(made.status).toBe(201);
    model.items.set(made.body.id, { categories, price: body.price, status });
  }
  return model;
}

async function make(shop: World, model: Model, name: string, parent: number | null): Promise<number> {
  const made = await createCategory(contextOf(shop), { name, parent_id: parent }, WITHOUT_KEY);
  if (!made.ok) throw new Error(made.failure.code);
  model.categories.set(made.value.id, { name, parent });
  return made.value.id;
}

async function take(shop: World, model: Model, one: Step): Promise<void> {
  const pick = <Id>(ids: Iterable<Id>, n: number): Id | undefined => {
    const all = [...ids];
    return all[n % Math.max(1, all.length)];
  };
  const category = (n: number | null) => (n === null ? null : (pick(model.categories.keys(), n) ?? null));
  if (one.do === 'relist') await writeNextChunk(contextOf(shop), CHUNK);
  if (one.do === 'make') {
    const parent = category(one.at);
    if (model.line(parent).length < 5) await make(shop, model, `new ${model.categories.size}`, parent);
  }
  if (one.do === 'move') {
    const [id, to] = [category(one.at), category(one.to)];
    const before = id === null ? null : await loadCategory(contextOf(shop), id);
    if (!before || id === null) return;
    const moved = await patchCategory(contextOf(shop), before, { patch: { parent_id: to }, chunk: CHUNK });
    const same = before.parent_id === to;
    expect(moved.ok).toBe(same || model.mayMove(id, to));
    const known = model.categories.get(id);
    if (moved.ok && known) known.parent = to;
  }
  if (one.do === 'remove') {
    const id = category(one.at);
    if (id === null) return;
    expect((await removeCategory(contextOf(shop), id, { chunk: CHUNK })).ok).toBe(true);
    model.remove(id);
  }
  if (one.do === 'put' || one.do === 'price') {
    const [product, item] = pick(model.items, one.at) ?? [];
    if (!product || !item) return;
    if (one.do === 'price') item.price = one.price;
    else item.categories = [...new Set(one.into.flatMap((n) => category(n) ?? []))];
    const change = one.do === 'price' ? { price: item.price } : { category_ids: item.categories };
    expect((await shop.patch(`/products/${product}`, change)).status).toBe(200);
  }
}

const relisting = async ({ tenantId }: World): Promise<number> =>
  (await storeOf({ tenantId })
    .prepare('SELECT count(*) AS n FROM relistings WHERE tenant_id = ?')
    .bind(tenantId)
    .first<number>('n')) ?? 0;

/** Holds lists, totals, pages, the feed's paths and what search would index against the model. */
async function agrees(shop: World, model: Model): Promise<void> {
  const { tenantId } = shop;
  // A page of each list of each category, after each step: together they are one round trip.
  const ctx = { db: database(batchedReads(env), tenantId), tenantId };
  const read = async (
    categoryId: number,
    status: Item['status'],
    page: number,
    limit: number,
    q: string | null,
  ) => {
    const { answer } = await listProducts(ctx, {
      page,
      limit,
      after: null,
      q,
      sort: 'price_asc',
      include: [],
      status,
      facets: [],
      filters: { ...NO_FILTERS, categoryIds: [categoryId] },
      currency: 'EUR',
      mainCurrency: 'EUR',
    });
    if (!answer.ok) throw new Error(answer.failure.code);
    // The endpoint's schema says what a list is.
    const list = answer.value as { data: { id: number }[]; meta: { total: number } };
    return { ids: list.data.map(({ id }) => id), total: list.meta.total };
  };
  const compare = async (id: number) => {
    const [active, inactive] = [model.listed(id, 'active'), model.listed(id, 'inactive')];
    expect(
      await Promise.all([
        read(id, 'active', 1, 100, null),
        read(id, 'inactive', 1, 100, null),
        read(id, 'active', 2, 2, 'p'),
      ]),
    ).toEqual([
      { ids: active, total: active.length },
      { ids: inactive, total: inactive.length },
      { ids: active.slice(2, 4), total: active.length },
    ]);
  };
  await Promise.all([...model.categories.keys()].map(compare));
  const { answer } = await readFeed(ctx, { page: 1, limit: 100, after: null, since: null, currency: 'EUR' });
  if (!answer.ok) throw new Error(answer.failure.code);
  // The endpoint's schema says what the feed is.
  const { data } = answer.value as { data: { product_id: number; category_path?: string }[] };
  const names = (line: readonly number[]) => line.map((id) => model.categories.get(id)?.name ?? '');
  for (const { product_id, category_path } of data) {
    const [first = null] = model.items.get(product_id)?.categories ?? [];
    expect(category_path).toBe(first === null ? undefined : names(model.line(first)).reverse().join(' > '));
  }
  for (const { productId, categories } of (await searchSourcesAfter(ctx, 0, 1_000)) ?? []) {
    const all = model.items.get(productId)?.categories.flatMap((id) => names(model.line(id)));
    expect(new Set(categories)).toEqual(new Set(all));
  }
}

/** Once nothing is left to do, the tables hold what the model says and nothing else. */
async function atRest(shop: World, model: Model): Promise<void> {
  const table = async (query: string) =>
    (await storeOf(shop).prepare(query).bind(shop.tenantId).raw<unknown[]>())
      .map((row) => row.join(' '))
      .sort();
  expect(await relisting(shop)).toBe(0);
  expect(
    await table('SELECT category_id, ancestor_id, distance FROM category_ancestors WHERE tenant_id = ?'),
  ).toEqual(
    [...model.categories.keys()]
      .flatMap((id) => model.line(id).map((above, n) => `${id} ${above} ${n}`))
      .sort(),
  );
  expect(await table('SELECT product_id, category_id FROM product_categories WHERE tenant_id = ?')).toEqual(
    [...model.items].flatMap(([id, { categories }]) => categories.map((one) => `${id} ${one}`)).sort(),
  );
  const lists = [...model.categories.keys()].flatMap((id) =>
    (['active', 'inactive'] as const).map((status) => ({ id, status, products: model.listed(id, status) })),
  );
  expect(
    await table(
      'SELECT category_id, product_id FROM product_listings WHERE tenant_id = ? AND category_id > 0',
    ),
  ).toEqual(lists.flatMap(({ id, products }) => products.map((product) => `${id} ${product}`)).sort());
  expect(
    await table(
      'SELECT category_id, status, total FROM listing_counts WHERE tenant_id = ? AND category_id > 0 AND total > 0',
    ),
  ).toEqual(
    lists
      .flatMap(({ id, status, products }) => (products.length ? [`${id} ${status} ${products.length}`] : []))
      .sort(),
  );
}
