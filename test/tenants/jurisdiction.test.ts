import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { FIRST_EU_TENANT_ID } from '../../src/kernel/data/jurisdiction.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { admin } from '../support/world.ts';

type Bindings = Partial<Env>;

/** A deployment whose databases and bucket are not declared to be in the EU. The tests' own is. */
const ELSEWHERE: Bindings = { EU_BINDINGS: '' };
const named = () => ({
  slug: `eu-${crypto.randomUUID().slice(0, 8)}`,
  name: 'Käse',
  currency: 'EUR',
  plan: 'growth',
});

async function platform(more: Bindings, method: string, path: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const init = { body: JSON.stringify(body), headers };
  const bindings = { ...env, ...more };
  const answer = await fetchWith(bindings, method, `/admin/v1/tenants${path}`, env.SUPER_ADMIN_TOKEN, init);
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of many shapes
  return { status: answer.status, body: (await answer.json()) as any };
}

/** Creates a tenant in the EU; returns its slug, and a token with its id. */
async function euTenant() {
  const made = await platform({}, 'POST', '', { ...named(), jurisdiction: 'eu' });
  expect(made).toMatchObject({ status: 201, body: { jurisdiction: 'eu' } });
  const { slug } = made.body;
  const application = await admin('POST', `/tenants/${slug}/applications`, {
    name: 'app',
    kind: 'integration',
  });
  const token: string = application.body.token;
  return { slug: String(slug), token, tenantId: Number(/^sfe_live_(\d+)-/.exec(token)?.[1]) };
}

it('gives tenants in the EU ids of their own range, and the others theirs', async () => {
  const [first, second] = [await euTenant(), await euTenant()];
  expect(first.tenantId).toBeGreaterThanOrEqual(FIRST_EU_TENANT_ID);
  expect(second.tenantId).toBeGreaterThan(first.tenantId);
  const plain = await admin('POST', '/tenants', named());
  expect(plain.body.jurisdiction).toBeNull();
  const application = await admin('POST', `/tenants/${plain.body.slug}/applications`, {
    name: 'a',
    kind: 'mobile',
  });
  expect(Number(/^sfe_live_(\d+)-/.exec(application.body.token)?.[1])).toBeLessThan(FIRST_EU_TENANT_ID);
});

it('serves a tenant in the EU as any other', async () => {
  const { token, slug } = await euTenant();
  const call = async (method: string, path: string, body?: object) => {
    const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await fetchWith(env, method, `/v1${path}`, token, body ? json : {});
    expect(answer.status).toBeLessThan(300);
    return answer.json<{ id: number; cart_token: string; data: { name: string }[] }>();
  };
  const product = await call('POST', '/products', { name: 'Gouda', type: 'simple', price: 5, stock: 2 });
  expect((await call('GET', '/products')).data).toMatchObject([{ name: 'Gouda' }]);
  const line = { product_id: product.id, quantity: 1, cart_token: null };
  expect((await call('POST', '/cart/items', line)).cart_token).toMatch(/^ct_/);
  expect((await admin('GET', `/tenants/${slug}`)).body.jurisdiction).toBe('eu');
});

it('refuses a jurisdiction where the deployment declares no storage', async () => {
  for (const EU_BINDINGS of ['', 'DB', 'DB SEARCH_01', 'SEARCH_01 MEDIA']) {
    const refused = await platform({ EU_BINDINGS }, 'POST', '', { ...named(), jurisdiction: 'eu' });
    expect(refused).toMatchObject({ status: 422, body: { errors: { jurisdiction: [expect.any(String)] } } });
  }
  const unknown = await platform({}, 'POST', '', { ...named(), jurisdiction: 'us' });
  expect(unknown).toMatchObject({ status: 422, body: { errors: { jurisdiction: [expect.any(String)] } } });
});

it('never changes the jurisdiction of a tenant', async () => {
  const { slug } = await euTenant();
  const changed = await platform({}, 'PATCH', `/${slug}`, { jurisdiction: null });
  expect(changed.status).toBe(422);
});

it('imports a tenant of the EU only where its jurisdiction is available', async () => {
  const { slug } = await euTenant();
  const page = await admin('GET', `/tenants/${slug}/export`);
  const { header, data } = page.body;
  const copy = `${slug}-copy`;
  const row = { ...data[0].row, id: data[0].row.id + 1_000_000, slug: copy };
  const records = [{ table: 'tenants', row }];
  const refused = await platform(ELSEWHERE, 'PUT', `/${copy}/import`, { header, records });
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
  const imported = await platform({}, 'PUT', `/${copy}/import`, { header, records });
  expect(imported).toMatchObject({ status: 200, body: { written: 1 } });
  expect((await admin('GET', `/tenants/${copy}`)).body.jurisdiction).toBe('eu');
});
