import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { HOT_READS_A_LINE } from '../../../src/kernel/observe/request-line.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { cartWith, sandboxShop } from '../../support/fixtures/selling/checkout.ts';
import { PASSWORD, registration } from '../../support/fixtures/selling/customers.ts';
import { holdsSecret } from '../../support/runtime/log-scan.ts';
import { admin, send, world } from '../../support/world.ts';

afterEach(() => void vi.restoreAllMocks());

type Line = Record<string, unknown>;

/** Returns all that is logged while `act` runs. */
async function linesOf(act: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  for (const level of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
  }
  await act();
  return lines;
}

/** Returns the lines about requests that are logged while `act` runs. */
const requestsOf = async (act: () => Promise<unknown>): Promise<Line[]> =>
  (await linesOf(act)).map((line): Line => JSON.parse(line)).filter(({ event }) => event === 'request');

it('logs one line for a request, with the ids and the pattern of the path', async () => {
  const shop = await world();
  const { headers } = await shop.get('/products/987654321?currency=EUR');
  const [line, ...more] = await requestsOf(() => shop.get('/products/987654321?currency=EUR'));
  expect(more).toEqual([]);
  expect(line).toEqual({
    event: 'request',
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    weight: 1,
    tenant: shop.tenantId,
    application: shop.applicationId,
    method: 'GET',
    route: '/v1/products/{id}',
    status: 404,
    duration_ms: expect.any(Number),
  });
  expect(headers.get('x-request-id')).not.toBe(line?.request_id);
});

it.each([
  ['/v1/products', 401, '/v1/products'],
  ['/admin/v1/tenants/acme', 401, '/admin/v1/tenants/{slug}'],
  ['/v1/openapi.json', 200, '/v1/openapi.json'],
  ['/healthz', 200, '/healthz'],
  ['/checkout/ck_nothing', 404, '/checkout/{session}'],
  ['/nothing/ada@example.com', 404, '/*'],
])('names the route of %s, and no application', async (path, status, route) => {
  const [line] = await requestsOf(() => send('GET', path));
  expect(line).toMatchObject({ route, status, tenant: null, application: null });
});

it('names the tenant and the application of a call that is refused', async () => {
  const shop = await world();
  const { token, id } = await shop.register({ kind: 'storefront' });
  const [line] = await requestsOf(() => send('GET', '/v1/settings', { token }));
  expect(line).toMatchObject({ status: 403, tenant: shop.tenantId, application: id });
});

it('logs a panel page once, though it calls the API inside the Worker', async () => {
  const lines = await requestsOf(() => send('GET', '/admin/sign-in', { headers: { accept: 'text/html' } }));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ route: '/admin/sign-in', status: 200 });
});

it('logs one line for a hundred reads from memory, with their weight', async () => {
  // Reads between two leases are not served from memory alone: those have a line each. Large leases leave few.
  const shop = await world({ plan: 'enterprise' });
  await stockedProduct(shop, {});
  await shop.get('/products');
  const reads = 5 * HOT_READS_A_LINE;
  const lines = await requestsOf(async () => {
    for (let n = 0; n < reads; n++) await shop.get('/products');
  });
  const hot = lines.filter(({ weight }) => weight === HOT_READS_A_LINE);
  const counted = lines.reduce((sum, { weight }) => sum + Number(weight), 0);
  expect(hot.length).toBeGreaterThan(0);
  expect(Math.abs(counted - reads)).toBeLessThan(HOT_READS_A_LINE);
  expect(hot[0]).toMatchObject({ tenant: shop.tenantId, application: shop.applicationId, status: 200 });
});

it('holds no secret, no person and no query of a purchase', async () => {
  const shop = await sandboxShop();
  const who = registration({ name: 'Zenobia Thistlewood', phone: '+49 30 5551234' });
  const lines = await linesOf(async () => {
    const cart = await cartWith(shop, await stockedProduct(shop, { stock: 9 }));
    const { body } = await shop.post('/customers/register', { ...who, cart_token: cart });
    await shop.get('/customers/me', { token: shop.token, headers: { 'X-Customer-Token': body.token } });
    await shop.get(`/cart/${cart}?currency=EUR`);
    await shop.get('/search?q=zenobia');
    await send('GET', `/v1/products?q=${shop.token}`, { token: `${shop.token}x` });
    await admin('POST', `/tenants/${shop.slug}/applications`, { name: 'x', kind: 'integration' });
  });
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter(holdsSecret)).toEqual([]);
  const words = /zenobia|thistlewood|5551234|currency/i;
  expect(lines.filter((line) => words.test(line) || line.includes(PASSWORD))).toEqual([]);
});

it('finds a secret in a line that has one', () => {
  const leaks = [
    'Bearer abc',
    'ada@example.com',
    env.SUPER_ADMIN_TOKEN,
    '"route":"/v1/products?q=1"',
    'whsec_0123456789abcdef',
  ];
  expect(leaks.filter(holdsSecret)).toEqual(leaks);
  expect(holdsSecret('{"event":"request","route":"/v1/products/{id}","status":200}')).toBe(false);
});

it('writes a data point for every request where a dataset is bound', async () => {
  const shop = await world();
  await stockedProduct(shop, {});
  const points: AnalyticsEngineDataPoint[] = [];
  // Miniflare's own dataset takes points and shows none.
  const bound: Env = {
    ...env,
    REQUEST_METRICS: { writeDataPoint: (point) => void points.push(point ?? {}) },
  };
  for (let n = 0; n < 3; n++) await fetchWith(bound, 'GET', '/v1/products', shop.token);
  await fetchWith(bound, 'GET', '/v1/products?limit=0', shop.token);
  const expected = (status: number) => ({
    indexes: [String(shop.tenantId)],
    blobs: ['GET', '/v1/products', String(shop.applicationId)],
    doubles: [status, expect.any(Number)],
  });
  expect(points).toEqual([200, 200, 200, 422].map(expected));
});

it('serves every request also while the dataset takes no point', async () => {
  const shop = await world();
  const bound: Env = {
    ...env,
    REQUEST_METRICS: {
      writeDataPoint: () => {
        throw new Error('Analytics Engine is down');
      },
    },
  };
  const statuses: number[] = [];
  for (let n = 0; n < 3; n++)
    statuses.push((await fetchWith(bound, 'GET', '/v1/products', shop.token)).status);
  statuses.push((await fetchWith(bound, 'GET', '/v1/nowhere', shop.token)).status);
  expect(statuses).toEqual([200, 200, 200, 404]);
});
