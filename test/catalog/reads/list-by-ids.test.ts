import { describe, expect, it } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { createProduct, NEWEST } from '../../support/fixtures/catalog/products.ts';
import { lazy } from '../../support/lazy.ts';
import { world } from '../../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);

describe('GET /v1/products?ids=', () => {
  it('lists products in the order asked for, and leaves out what is not there', async () => {
    const [shop, other] = await Promise.all([world(), world()]);
    const [a, b, hidden, gone] = await Promise.all(
      ['A', 'B', 'Hidden', 'Gone'].map(async (name) => {
        const status = name === 'Hidden' ? 'inactive' : 'active';
        return (await createProduct(shop, { name, status })).body.id;
      }),
    );
    const foreign = (await createProduct(other, { name: 'Foreign' })).body.id;
    await shop.delete(`/products/${gone}`);
    const asked = [b, foreign, gone, hidden, 999_999_999, a].join();
    const { body } = await shop.get(`/products?ids=${asked}`, NEWEST);
    expect(names(body)).toEqual(['B', 'A']);
    expect(body.meta).toEqual({ page: 1, limit: 6, total: 2, total_pages: 1, next_cursor: null });
    expect(names((await shop.get(`/products?ids=${asked}&status=all`, NEWEST)).body)).toEqual([
      'B',
      'Hidden',
      'A',
    ]);
    expect((await shop.get('/products?ids=999999999', NEWEST)).body.data).toEqual([]);
  });

  it('shows the same as a list, with includes and currency', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const category_ids = [(await shop.post('/categories', { name: 'Tops' })).body.id];
    const variants = [{ sku: 'm', price: 5, prices: { USD: 6 }, attributes: { Size: 'M' } }];
    const tee = (await createProduct(shop, { name: 'Tee', type: 'configurable', variants, category_ids }))
      .body.id;
    const cup = (await createProduct(shop)).body.id;
    for (const query of ['include=variants,categories', 'currency=USD', 'currency=USD&include=variants']) {
      const list = (await shop.get(`/products?${query}&sort=name_desc`, NEWEST)).body.data;
      const byId = (await shop.get(`/products?${query}&ids=${tee},${cup}`, NEWEST)).body.data;
      expect(byId, query).toEqual(list);
    }
  });

  it('takes 100 ids', async () => {
    const shop = await world();
    const ids = Array.from({ length: 100 }, (_, n) => 900_000_000 + n).join();
    expect((await shop.get(`/products?ids=${ids}`)).body.meta).toMatchObject({ limit: 100, total: 0 });
  });

  it.each([
    '',
    '0',
    '1,',
    '1,,2',
    '1,1',
    'a',
    '1.5',
    '-1',
    ' 1',
    '1e3',
    Array.from({ length: 101 }, (_, n) => n + 1).join(),
  ])('refuses %j', async (ids) => {
    const shop = await untouched();
    const answer = await shop.get(`/products?ids=${ids}`);
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors)).toEqual(['ids']);
  });

  it('is not combined with what makes no sense then', async () => {
    const shop = await world();
    const answer = await shop.get('/products?ids=1&page=1&q=a&search=a&category_id=1&sort=newest');
    expectProblem(answer, 422, 'validation_error');
    const few = await shop.get('/products?ids=1,2&limit=1');
    expectProblem(few, 422, 'validation_error');
    expect(Object.keys(few.body.errors)).toEqual(['limit']);
    expect((await shop.get('/products?ids=1,2&limit=100')).body.meta).toMatchObject({ limit: 100, total: 0 });
    expect(Object.keys(answer.body.errors).sort()).toEqual(['category_id', 'page', 'q', 'search', 'sort']);
  });
});

describe('GET /v1/products?variant_ids=', () => {
  it('lists the products of variants in the order asked for, each once, and none of another tenant', async () => {
    const [shop, other] = await Promise.all([world(), world()]);
    const withSizes = async (name: string) => {
      const variants = ['S', 'M'].map((Size) => ({ sku: `${name}-${Size}`, price: 5, attributes: { Size } }));
      const { body } = await createProduct(shop, { name, type: 'configurable', variants });
      return body.variants.map(({ id }: { id: number }) => id);
    };
    const [[teeS, teeM], [capS, capM]] = await Promise.all([withSizes('Tee'), withSizes('Cap')]);
    const cup = (await createProduct(shop, { name: 'Cup' })).body.id;
    const listed = async (query: string, from = shop) => (await from.get(`/products?${query}`, NEWEST)).body;
    const both = await listed(`variant_ids=${capM},${cup},${teeM},${teeS},999999999&include=variants`);
    expect(names(both)).toEqual(['Cap', 'Tee']);
    expect(both.data[0].variants.map(({ id }: { id: number }) => id)).toEqual([capS, capM]);
    expect((await listed(`variant_ids=${teeS}`, other)).data).toEqual([]);
  });

  it('is combined with as little as ids are', async () => {
    const shop = await world();
    const answer = await shop.get('/products?variant_ids=1&member_of=2&q=a');
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors).sort()).toEqual(['member_of', 'q']);
    expectProblem(await shop.get('/products?variant_ids=1,1'), 422, 'validation_error');
    const few = await shop.get('/products?variant_ids=1,2&limit=1');
    expect(Object.keys(few.body.errors)).toEqual(['limit']);
  });
});

it('finds no product by a variant that it has lost, neither by its id nor by its SKU', async () => {
  const shop = await world();
  const variants = ['S', 'M'].map((Size) => ({ sku: `TEE-${Size}`, price: 5, attributes: { Size } }));
  const { body: tee } = await createProduct(shop, { type: 'configurable', variants });
  await shop.patch(`/products/${tee.id}`, { variants: variants.slice(1) });
  for (const query of [`variant_ids=${tee.variants[0].id}`, 'skus=TEE-S'])
    expect((await shop.get(`/products?${query}`, NEWEST)).body.data).toEqual([]);
});

describe('GET /v1/products?skus=', () => {
  it('lists the products of SKUs, of variants too, in the order asked for, and none of another tenant', async () => {
    const [shop, other] = await Promise.all([world(), world()]);
    const variants = ['S', 'M'].map((Size) => ({ sku: `TEE-${Size}`, price: 5, attributes: { Size } }));
    await createProduct(shop, { name: 'Tee', sku: 'TEE', type: 'configurable', variants });
    await createProduct(shop, { name: 'Cup', sku: 'cup, 0.3' });
    const gone = (await createProduct(shop, { name: 'Gone', sku: 'GONE' })).body.id;
    await createProduct(shop, { name: 'Hidden', sku: 'HIDDEN', status: 'inactive' });
    await shop.delete(`/products/${gone}`);
    const asked = encodeURIComponent('GONE,cup\\, 0.3,TEE-M,HIDDEN,nothing,TEE-S,tee');
    const listed = async (query: string, from = shop) => (await from.get(`/products?${query}`, NEWEST)).body;
    const found = await listed(`skus=${asked}&include=variants`);
    expect(names(found)).toEqual(['Cup', 'Tee']);
    expect(found.data[1].variants.map(({ sku }: { sku: string }) => sku)).toEqual(['TEE-S', 'TEE-M']);
    expect(found.meta).toEqual({ page: 1, limit: 7, total: 2, total_pages: 1, next_cursor: null });
    expect(names(await listed(`skus=${asked}&status=all`))).toEqual(['Cup', 'Tee', 'Hidden']);
    expect((await listed('skus=TEE', other)).data).toEqual([]);
  });

  it.each(['', 'a,', 'a,,b', 'a,a', 'x'.repeat(65), Array.from({ length: 101 }, (_, n) => n).join()])(
    'refuses %j',
    async (skus) => {
      const answer = await (await untouched()).get(`/products?skus=${skus}`);
      expectProblem(answer, 422, 'validation_error');
      expect(Object.keys(answer.body.errors)).toEqual(['skus']);
    },
  );

  it('is combined with as little as ids are', async () => {
    const shop = await world();
    const answer = await shop.get('/products?skus=a&variant_ids=1&vendor=b');
    expectProblem(answer, 422, 'validation_error');
    const few = await shop.get('/products?skus=a,b&limit=1');
    expect(Object.keys(few.body.errors)).toEqual(['limit']);
  });
});

describe('GET /v1/products?member_of=', () => {
  it('lists what a bundle and a group contain, in their order and each once', async () => {
    const [shop, other] = await Promise.all([world(), world()]);
    const [a, b, c] = await Promise.all(
      ['A', 'B', 'C'].map(async (name) => (await createProduct(shop, { name })).body.id as number),
    );
    const items = (...ids: (number | undefined)[]) => ids.map((product_id) => ({ product_id }));
    const bundle = await createProduct(shop, {
      type: 'bundled',
      name: 'Set',
      bundle_groups: [
        { title: 'One', items: items(c, a) },
        { title: 'Two', items: items(a, b) },
      ],
    });
    const group = await createProduct(shop, { type: 'grouped', name: 'Group', grouped: items(b, a) });
    const listed = async (query: string, from = shop) => (await from.get(`/products?${query}`, NEWEST)).body;
    expect(names(await listed(`member_of=${bundle.body.id}`))).toEqual(['C', 'A', 'B']);
    expect(names(await listed(`member_of=${group.body.id}&limit=1`))).toEqual(['B']);
    expect((await listed(`member_of=${bundle.body.id}`, other)).data).toEqual([]);
    expect((await listed(`member_of=${a}`)).data).toEqual([]);
  });

  it('counts all of them in pages of `limit`, without those that are not on sale', async () => {
    const shop = await world();
    const made = async (name: string, more: object = {}) =>
      (await createProduct(shop, { name, ...more })).body.id as number;
    const hidden = await made('Hidden', { status: 'inactive' });
    const [a, b, c] = [await made('A'), await made('B'), await made('C')];
    const grouped = [hidden, c, a, b].map((product_id) => ({ product_id }));
    const { id } = (await createProduct(shop, { type: 'grouped', name: 'Group', grouped })).body;
    const page = async (query: string) =>
      (await shop.get(`/products?member_of=${id}&limit=2&${query}`, NEWEST)).body;
    const first = await page('');
    expect(names(first)).toEqual(['C', 'A']);
    expect(first.meta).toMatchObject({ page: 1, limit: 2, total: 3, total_pages: 2 });
    const last = await page(`cursor=${first.meta.next_cursor}`);
    expect(names(last)).toEqual(['B']);
    expect(last.meta).toEqual({ page: 2, limit: 2, total: 3, total_pages: 2, next_cursor: null });
    expect(await page('page=2')).toEqual(last);
    expect((await page('page=3')).meta.total).toBe(3);
  });

  it('lists what an inactive one contains to those alone who may see it', async () => {
    const shop = await world();
    const { id: cup } = (await createProduct(shop, { name: 'Cup' })).body;
    const draft = { type: 'grouped', name: 'Draft', status: 'inactive', grouped: [{ product_id: cup }] };
    const { id } = (await createProduct(shop, draft)).body;
    const listed = async (query: string) =>
      (await shop.get(`/products?member_of=${id}${query}`, NEWEST)).body;
    expect(await listed('')).toMatchObject({ data: [], meta: { total: 0 } });
    expect(names(await listed('&status=all'))).toEqual(['Cup']);
  });

  it('continues after a cursor with the next one, also once the group has lost some before it', async () => {
    const shop = await world();
    const made = async (name: string) => (await createProduct(shop, { name })).body.id as number;
    const ids = [await made('A'), await made('B'), await made('C'), await made('D')];
    const members = (some: number[]) => ({ grouped: some.map((product_id) => ({ product_id })) });
    const { id } = (await createProduct(shop, { type: 'grouped', name: 'Group', ...members(ids) })).body;
    const first = (await shop.get(`/products?member_of=${id}&limit=2`, NEWEST)).body;
    expect(names(first)).toEqual(['A', 'B']);
    expect((await shop.patch(`/products/${id}`, members(ids.slice(1)))).status).toBe(200);
    const next = `/products?member_of=${id}&limit=2&cursor=${first.meta.next_cursor}`;
    expect(names((await shop.get(next, NEWEST)).body)).toEqual(['C', 'D']);
  });

  it.each(['0', 'x', '1.5', ''])('refuses %j', async (id) => {
    const answer = await (await untouched()).get(`/products?member_of=${id}`);
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors)).toEqual(['member_of']);
  });

  it('is not combined with what makes no sense then', async () => {
    const answer = await (await world()).get('/products?member_of=1&ids=2&q=a');
    expectProblem(answer, 422, 'validation_error');
  });
});
