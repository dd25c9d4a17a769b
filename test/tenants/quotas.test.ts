import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import type { Quota } from '../../src/tenants/index.ts';
import { png, upload } from '../media/images.ts';
import { openApiDocument } from '../support/contract/document.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { asAdmin } from '../support/fixtures/browser.ts';
import { importFile } from '../support/fixtures/catalog/imports.ts';
import { setUsed } from '../support/fixtures/quotas.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { type Answer, admin, send, type World, world } from '../support/world.ts';

/** What is read of the OpenAPI document. */
interface TenantSchema {
  readonly components: { readonly schemas: { readonly Tenant: { readonly properties: PlanProperty } } };
}
interface PlanProperty {
  readonly plan: { readonly description: string };
}

/** Returns the counter of a quota. */
const used = async (shop: World, quota: Quota) =>
  (
    await storeOf(shop)
      .prepare('SELECT total FROM quota_counts WHERE tenant_id = ? AND quota = ?')
      .bind(shop.tenantId, quota)
      .first<{ total: number }>()
  )?.total ?? 0;

const name = () => `x${crypto.randomUUID()}`;
const mug = () => ({ name: name(), type: 'simple', price: 10 });
const tee = (count: number) => ({
  name: name(),
  type: 'configurable',
  price: 10,
  variants: Array.from({ length: count }, (_, n) => ({
    sku: name(),
    price: 10,
    stock: 1,
    attributes: { size: `${n}` },
  })),
});

/** The quotas that go up by one; test/media/quota.test.ts has the other. */
type Counted = Exclude<Quota, 'media_bytes'>;

/** What makes one more of each, and what each plan allows of it. */
const MAKE: Readonly<Record<Counted, (shop: World) => Promise<Answer>>> = {
  applications: (shop) =>
    admin('POST', `/tenants/${shop.slug}/applications`, { name: 'app', kind: 'storefront' }),
  products: (shop) => shop.post('/products', mug()),
  categories: (shop) => shop.post('/categories', { name: name() }),
  webhooks: (shop) => shop.post('/webhooks', { url: 'https://shop.example.org', events: ['order.paid'] }),
  promotions: (shop) => shop.post('/coupons', { code: name(), kind: 'percent', value: 10 }),
  media: async (shop) => upload(shop, await png(2, 2)),
  feeds: (shop) => shop.post('/feeds', { format: 'xml' }),
};
const LIMITS = [
  [
    'starter',
    { applications: 10, products: 10_000, categories: 1_000, promotions: 100, media: 5_000, feeds: 2 },
  ],
  [
    'growth',
    {
      applications: 50,
      products: 100_000,
      categories: 5_000,
      webhooks: 20,
      promotions: 1_000,
      media: 50_000,
      feeds: 10,
    },
  ],
  [
    'enterprise',
    {
      applications: 200,
      products: 1_000_000,
      categories: 20_000,
      webhooks: 100,
      promotions: 10_000,
      media: 500_000,
      feeds: 10,
    },
  ],
] as const;

describe.each(LIMITS)('the plan %s', (plan, limits) => {
  // The keys of what was written above.
  it.each(Object.entries(limits) as [Counted, number][])('limits %s to %i', async (quota, limit) => {
    const shop = await world({ plan });
    await setUsed(shop, quota, limit - 1);
    expect((await MAKE[quota](shop)).status).toBe(201);
    const refused = await MAKE[quota](shop);
    expectProblem(refused, 409, 'quota_exceeded');
    expect(refused.body.details).toEqual({ quota, limit });
    expect(await used(shop, quota)).toBe(limit);
  });
});

it.each(Object.keys(MAKE) as Counted[])('applies to %s that are created concurrently', async (quota) => {
  const shop = await world();
  const limit = LIMITS[1][1][quota];
  await setUsed(shop, quota, limit - 2);
  const answers = await Promise.all(Array.from({ length: 8 }, () => MAKE[quota](shop)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(6).fill(409)]);
  expect(await used(shop, quota)).toBe(limit);
});

it('counts exactly, whatever creates, changes and deletes', async () => {
  const shop = await world();
  const [first, second] = [await shop.post('/products', tee(3)), await shop.post('/products', mug())];
  expect(await used(shop, 'products')).toBe(5);
  const [{ sku }] = first.body.variants;
  const variants = tee(2).variants.concat(tee(0).variants);
  await shop.patch(`/products/${first.body.id}`, { variants });
  expect(await used(shop, 'products')).toBe(4);
  await shop.post('/products', { ...mug(), sku });
  await shop.patch(`/products/${second.body.id}`, { status: 'inactive' });
  expect(await used(shop, 'products')).toBe(5);
  await shop.delete(`/products/${first.body.id}`);
  await importFile(shop, 'Handle,Title,Type,Variant Price\nmug,Mug,Cups,3\n');
  expect([await used(shop, 'products'), await used(shop, 'categories')]).toEqual([3, 1]);
  for (const [quota, path] of [
    ['categories', '/categories'],
    ['webhooks', '/webhooks'],
    ['promotions', '/coupons'],
    ['feeds', '/feeds'],
  ] as const) {
    const before = await used(shop, quota);
    const { id } = (await MAKE[quota](shop)).body;
    expect(await used(shop, quota)).toBe(before + 1);
    expect((await shop.delete(`${path}/${id}`)).status).toBe(204);
    expect((await shop.delete(`${path}/${id}`)).status).toBe(404);
    expect(await used(shop, quota)).toBe(before);
  }
  expect(await used(shop, 'applications')).toBe(1);
});

it('keeps what exceeds a smaller plan, and lets it be changed', async () => {
  const shop = await world();
  const [product, category] = [await shop.post('/products', tee(2)), await MAKE.categories(shop)];
  const coupon = await MAKE.promotions(shop);
  for (const quota of ['products', 'categories', 'promotions', 'applications'] as const) {
    await setUsed(shop, quota, 20_000);
  }
  await admin('PATCH', `/tenants/${shop.slug}`, { plan: 'starter' });
  const { variants } = product.body;
  const path = `/products/${product.body.id}`;
  expect((await shop.patch(path, { name: 'Tee' })).status).toBe(200);
  const [kept] = variants;
  const swapped = [{ ...tee(1).variants[0], attributes: { size: 'XL' } }, { ...kept }];
  expect((await shop.patch(path, { variants: swapped })).status).toBe(200);
  const more = await shop.patch(path, { variants: [...swapped, { ...tee(3).variants[2] }] });
  expectProblem(more, 409, 'quota_exceeded');
  expect((await shop.patch(path, { variants: [kept] })).status).toBe(200);
  expect((await shop.patch(`/categories/${category.body.id}`, { name: 'Tees' })).status).toBe(200);
  expect((await shop.patch(`/coupons/${coupon.body.id}`, { value: 20 })).status).toBe(200);
  expect((await shop.delete(path)).status).toBe(204);
  expectProblem(await MAKE.products(shop), 409, 'quota_exceeded');
});

it('refuses the calls of a feature that a smaller plan lacks, as the API reference says, and removes nothing', async () => {
  const shop = await world();
  const webhook = await MAKE.webhooks(shop);
  await admin('PATCH', `/tenants/${shop.slug}`, { plan: 'starter' });
  moveClock(2_000);
  for (const path of ['/webhooks', '/events', '/marketplace/products'])
    expectProblem(await shop.get(path), 403, 'plan_not_allowed');
  const { components } = openApiDocument<TenantSchema>();
  expect(components.schemas.Tenant.properties.plan.description).toContain('are 403 `plan_not_allowed`');
  await admin('PATCH', `/tenants/${shop.slug}`, { plan: 'growth' });
  moveClock(2_000);
  expect((await shop.get(`/webhooks/${webhook.body.id}`)).body.status).toBe('active');
});

it('creates a product completely or not at all, and again once below the quota', async () => {
  const shop = await world();
  await setUsed(shop, 'products', 99_998);
  const body = tee(2);
  expectProblem(await shop.post('/products', body), 409, 'quota_exceeded');
  expect((await shop.get('/products')).body.meta.total).toBe(0);
  await setUsed(shop, 'products', 99_997);
  expect((await shop.post('/products', body)).status).toBe(201);
});

describe('an import', () => {
  it('fails the lines over the quota and continues', async () => {
    const shop = await world();
    const old = { slug: 'old', name: 'Old', type: 'simple', price: 1 };
    expect((await shop.post('/products', old)).status).toBe(201);
    await setUsed(shop, 'products', 99_997);
    const lines = ['a,A,2', 'b,B,2', 'c,C,2', 'd,D,2', 'old,New,3', 'e,E,2'];
    const done = await importFile(shop, `Handle,Title,Variant Price\n${lines.join('\n')}\n`);
    expect(done).toMatchObject({ status: 'done', created: 3, updated: 1, failed: 2, processed: 6 });
    expect(done.errors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('100,000 products and variants'),
      expect.stringContaining('100,000 products and variants'),
    ]);
    expect(await used(shop, 'products')).toBe(100_000);
    expect((await shop.get('/products?q=new')).body.data).toMatchObject([{ slug: 'old', name: 'New' }]);
  });

  it('fails the lines whose category is over the quota and continues', async () => {
    const shop = await world();
    await setUsed(shop, 'categories', 4_999);
    const lines = ['a,A,2,Cups', 'b,B,2,Plates', 'c,C,2,cups', 'd,D,2,'];
    const done = await importFile(shop, `Handle,Title,Variant Price,Type\n${lines.join('\n')}\n`);
    expect(done).toMatchObject({ status: 'done', created: 3, failed: 1, processed: 4 });
    expect(done.errors).toMatchObject([{ line: 3, message: expect.stringContaining('5,000 categories') }]);
    expect(await used(shop, 'categories')).toBe(5_000);
  });
});

it('repeats the response for an Idempotency-Key, and shows the usage to the super-admin', async () => {
  const shop = await world({ plan: 'starter' });
  await setUsed(shop, 'applications', 10);
  const create = () =>
    send('POST', `/admin/v1/tenants/${shop.slug}/applications`, {
      token: env.SUPER_ADMIN_TOKEN,
      body: { name: 'app', kind: 'storefront' },
      headers: { 'idempotency-key': shop.slug },
    });
  expectProblem(await create(), 409, 'quota_exceeded');
  expect(await create()).toMatchObject({ status: 409, body: { code: 'quota_exceeded' } });
  const { html } = await (await asAdmin()).get(`/admin/tenants/${shop.slug}`);
  expect(html).toContain('<dt>Applications</dt><dd>10 of 10</dd>');
  expect(html).toContain('<dt>Products</dt><dd>0 of 10,000</dd>');
});
