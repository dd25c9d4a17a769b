import { describe, expect, it } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { createProduct, NEWEST, seeing } from '../../support/fixtures/catalog/products.ts';
import { eventsOfType } from '../../support/fixtures/selling/orders.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { type Answer, type World, world } from '../../support/world.ts';

const bySlug = (shop: World, slug: string, options: object = NEWEST): Promise<Answer> =>
  shop.get(`/products/slug/${encodeURIComponent(slug)}`, options);
const rename = (shop: World, id: number, slug: string) => shop.patch(`/products/${id}`, { slug });
const formerSlugs = ({ tenantId }: World) =>
  storeOf({ tenantId })
    .prepare("SELECT count(*) AS n FROM former_slugs WHERE tenant_id = ? AND kind = 'product'")
    .bind(tenantId)
    .first('n');

describe('GET /v1/products/slug/{slug}', () => {
  it('responds as by id, for each scope and currency', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const { token } = await shop.register({ scopes: ['catalog:read'] });
    const body = { slug: 'grüne-tasse', prices: { USD: 11 }, metadata: { erp: '1' } };
    const made = await createProduct(shop, body);
    for (const options of [seeing(made), seeing(made, { token })]) {
      for (const query of ['', '?currency=USD']) {
        const byId = await shop.get(`/products/${made.body.id}${query}`, options);
        const found = await shop.get(`/products/slug/gr%C3%BCne-tasse${query}`, options);
        expect(found.body).toEqual(byId.body);
        expect(found.headers.get('etag')).toBe(byId.headers.get('etag'));
        expect(found.body.metadata).toEqual('token' in options ? undefined : { erp: '1' });
      }
    }
  });

  it('finds only active products of the tenant', async () => {
    const [shop, other] = await Promise.all([world(), world()]);
    const { id, slug } = (await createProduct(shop, { slug: 'cup', status: 'inactive' })).body;
    expectProblem(await bySlug(shop, slug), 404, 'product_not_found');
    expectProblem(await bySlug(other, slug), 404, 'product_not_found');
    expect((await shop.get('/products/slug/cup?status=inactive', NEWEST)).body.id).toBe(id);
    await shop.patch(`/products/${id}`, { status: 'active' });
    expect((await bySlug(shop, slug)).body.id).toBe(id);
    await shop.delete(`/products/${id}`);
    expectProblem(await bySlug(shop, slug), 404, 'product_not_found');
  });

  it('follows renamed slugs, also of what the cache has', async () => {
    const shop = await world();
    const cup = await createProduct(shop, { slug: 'cup' });
    expect((await bySlug(shop, 'cup', seeing(cup))).status).toBe(200);
    const { id } = cup.body;
    await rename(shop, id, 'mug');
    const renamed = await rename(shop, id, 'big-mug');
    for (const slug of ['cup', 'mug', 'big-mug'])
      expect((await bySlug(shop, slug, seeing(renamed))).body, slug).toMatchObject({ id, slug: 'big-mug' });
  });

  it('leaves a former slug to the product that takes it, for good', async () => {
    const shop = await world();
    const cup = (await createProduct(shop, { slug: 'cup' })).body.id;
    await rename(shop, cup, 'mug');
    const taker = (await createProduct(shop, { slug: 'cup', status: 'inactive' })).body.id;
    expectProblem(await bySlug(shop, 'cup'), 404, 'product_not_found');
    await rename(shop, taker, 'bowl');
    await shop.patch(`/products/${taker}`, { status: 'active' });
    expect((await bySlug(shop, 'cup')).body.id).toBe(taker);
    await shop.delete(`/products/${taker}`);
    expectProblem(await bySlug(shop, 'cup'), 404, 'product_not_found');
    await rename(shop, cup, 'cup');
    expect((await bySlug(shop, 'cup')).body.id).toBe(cup);
    expect((await bySlug(shop, 'mug')).body.id).toBe(cup);
  });

  it('keeps the 20 newest of a product, and none of a deleted one', async () => {
    const shop = await world();
    const { id } = (await createProduct(shop, { slug: 's-0' })).body;
    for (let n = 1; n <= 22; n++) await rename(shop, id, `s-${n}`);
    expect(await formerSlugs(shop)).toBe(20);
    expectProblem(await bySlug(shop, 's-1'), 404, 'product_not_found');
    expect((await bySlug(shop, 's-2')).body.slug).toBe('s-22');
    await shop.delete(`/products/${id}`);
    expect(await formerSlugs(shop)).toBe(0);
  });

  it.each(['Cup', 'a--b', '-', 'a_b', 'x'.repeat(256)])('refuses %s, which is no slug', async (slug) => {
    const shop = await world();
    const answer = await bySlug(shop, slug);
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors)).toEqual(['slug']);
  });
});

it('is in the event of a product that gets another one', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { slug: 'cup' })).body;
  await shop.patch(`/products/${id}`, { slug: 'mug', name: 'Mug' });
  await shop.patch(`/products/${id}`, { name: 'Big mug' });
  const events = await eventsOfType(shop, 'product.updated');
  expect(events.map(({ slug, former_slug }) => [slug, former_slug])).toEqual([
    ['cup', undefined],
    ['mug', 'cup'],
    ['mug', undefined],
  ]);
});

it('finds the product that has it now, not a deleted one', async () => {
  const shop = await world();
  const { body: old } = await createProduct(shop, { slug: 'cup' });
  await shop.delete(`/products/${old.id}`);
  const { body: cup } = await createProduct(shop, { slug: 'cup' });
  expect((await shop.get('/products/slug/cup', NEWEST)).body.id).toBe(cup.id);
});
