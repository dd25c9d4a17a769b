/** Opens the demo shop in a fake service whose tenant and applications somebody has switched off. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { PRODUCTS, PROMOTIONS } from './index.ts';
import { openDemo } from './open-demo.ts';

/** What a fake service answers to a call with a token and a body: a status and a body. */
type Respond = (call: string, token: string, change: object) => readonly [number, object];

/** Starts a fake service. Returns its URL. */
async function listen(respond: Respond): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const [path = ''] = (request.url ?? '').split('?');
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    const isJson = request.headers['content-type'] === 'application/json' && body !== '';
    const [status, value] = respond(`${request.method} ${path}`, token, isJson ? JSON.parse(body) : {});
    response.writeHead(status).end(JSON.stringify(value));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  // The address of a TCP server is always an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A service with a demo tenant that is filled, and the two applications of the demo, each with its token. */
async function service(initial: { tenant: string; applications: string }) {
  const tenant = { status: initial.tenant };
  const applications = ['Demo', 'Demo storefront'].map((name, n) => ({
    id: n + 1,
    name,
    status: initial.applications,
    token: `token-${n + 1}`,
  }));
  const respond: Respond = (call, token, change) => {
    const application = applications.find(({ id }) => call.includes(`/applications/${id}`));
    if (call === 'POST /admin/v1/tenants') return [409, { code: 'slug_taken', message: 'Taken.' }];
    if (call === 'PATCH /admin/v1/tenants/demo') return [200, Object.assign(tenant, change)];
    if (call.endsWith('/applications')) return [200, { data: applications }];
    if (application && call.startsWith('PATCH')) return [200, Object.assign(application, change)];
    if (application) return [200, application];
    if (!applications.some((one) => one.token === token && one.status === 'active'))
      return [401, { code: 'unauthorized', message: 'Passive.' }];
    if (tenant.status === 'suspended') return [403, { code: 'tenant_suspended', message: 'Suspended.' }];
    return [200, { meta: { total: 1_000 } }];
  };
  return { base: await listen(respond), tenant, applications };
}

/** Returns a folder in which an earlier start has stored the tokens. */
function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  after(() => rmSync(folder, { recursive: true }));
  const state = { token: 'token-1', storefront: 'token-2', filled: true };
  writeFileSync(join(folder, 'demo.json'), JSON.stringify(state));
  return folder;
}

for (const off of [
  { tenant: 'suspended', applications: 'active' },
  { tenant: 'active', applications: 'passive' },
  { tenant: 'suspended', applications: 'passive' },
]) {
  test(`the demo shop opens again after it was switched off: ${JSON.stringify(off)}`, async () => {
    mock.method(console, 'log', () => undefined);
    const { base, tenant, applications } = await service(off);
    deepEqual(await openDemo(base, 'admin', stateFolder()), { token: 'token-1', storefront: 'token-2' });
    equal(tenant.status, 'active');
    deepEqual(new Set(applications.map(({ status }) => status)), new Set(['active']));
  });
}

test('a folder keeps the .gitignore that it has', async () => {
  mock.method(console, 'log', () => undefined);
  const { base } = await service({ tenant: 'active', applications: 'active' });
  const [folder, unused] = [stateFolder(), stateFolder()];
  // A start without a valid token stores the new one.
  for (const one of [folder, unused]) writeFileSync(join(one, 'demo.json'), '{}');
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  for (const one of [folder, unused]) await openDemo(base, 'admin', one);
  equal(readFileSync(join(folder, '.gitignore'), 'utf8'), 'node_modules\n');
  equal(readFileSync(join(unused, '.gitignore'), 'utf8'), '*\n');
});

test('the demo shop is made again where the databases were deleted', { timeout: 20_000 }, async () => {
  mock.method(console, 'log', () => undefined);
  const base = await listen((call, token) => {
    if (call === 'POST /admin/v1/tenants') return [201, {}];
    if (call === 'PATCH /admin/v1/tenants/demo') return [200, {}];
    if (call === 'GET /admin/v1/tenants/demo/applications') return [200, { data: [] }];
    if (call === 'POST /admin/v1/tenants/demo/applications') return [201, { token: 'new' }];
    // The objects still know the tenant of before, whose row can't be found.
    if (token !== 'new') return [503, { code: 'unavailable', message: 'Not now.' }];
    if (call === 'GET /v1/products') return [200, { meta: { total: 0 } }];
    if (call === 'GET /v1/settings') return [200, {}];
    return [418, { code: 'teapot', message: 'The first call that fills the shop.' }];
  });
  await rejects(openDemo(base, 'admin', stateFolder()), /POST \/v1\/media → 418/);
});

/** A service with an empty demo tenant. It fails to add a promotion beyond `limit`. */
async function emptyShop() {
  const shop = { products: [] as object[], promotions: [] as object[], limit: PROMOTIONS.length };
  const add = (list: object[], change: object) => [201, { id: list.push(change), ...change }] as const;
  const base = await listen((call, _, change) => {
    if (call === 'POST /admin/v1/tenants') return [409, { code: 'slug_taken', message: 'Taken.' }];
    if (call === 'GET /admin/v1/tenants/demo/applications') return [200, { data: [] }];
    if (call.endsWith('/applications')) return [201, { token: 'token-1' }];
    if (call === 'POST /v1/media') return [201, { url: 'https://cdn.example/1.png' }];
    if (call === 'GET /v1/categories') return [200, { data: [] }];
    if (call === 'POST /v1/categories') return [201, { id: 1 }];
    if (call === 'POST /v1/products') return add(shop.products, change);
    if (call === 'GET /v1/products')
      return [200, { data: shop.products, meta: { total: shop.products.length } }];
    if (call === 'GET /v1/promotions')
      return [200, { data: shop.promotions, meta: { total: shop.promotions.length } }];
    if (call !== 'POST /v1/promotions') return [200, {}];
    if (shop.promotions.length >= shop.limit) return [418, { code: 'teapot', message: 'Stopped here.' }];
    return add(shop.promotions, change);
  });
  return { base, shop };
}

test('a start that ended between two promotions is continued by the next', async () => {
  mock.method(console, 'log', () => undefined);
  const { base, shop } = await emptyShop();
  const folder = stateFolder();
  rmSync(join(folder, 'demo.json'));
  shop.limit = 1;
  await rejects(openDemo(base, 'admin', folder), /POST \/v1\/promotions → 418/);
  shop.limit = PROMOTIONS.length;
  await openDemo(base, 'admin', folder);
  deepEqual(shop.promotions.map(nameOf), PROMOTIONS.map(nameOf));
  equal(shop.products.length, PRODUCTS.length);
});

const nameOf = (one: object): unknown => ('name' in one ? one.name : null);
