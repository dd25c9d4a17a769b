/** The pages of a shop in its settings for agents: https, or on a developer's machine. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { admin, world } from '../support/world.ts';

const LOCAL = { ...env, DEV_ALLOW_LOCAL_URLS: 'true' };
const PAGES = {
  storefront_url: 'http://127.0.0.1:8787/demo',
  product_url: 'http://localhost:8787/demo/products/{id}',
  policies: { privacy: 'http://[::1]:8787/privacy', terms: null },
};

it('takes pages on this machine only where local URLs are allowed', async () => {
  const shop = await world();
  const ucp = { enabled: true, ...PAGES };
  const refused = await shop.patch('/settings', { ucp });
  expectProblem(refused, 422, 'validation_error');
  const problem = ['must be an https URL'];
  expect(refused.body.errors).toEqual({
    'ucp.storefront_url': problem,
    'ucp.product_url': problem,
    'ucp.policies.privacy': problem,
  });
  const tenant = { name: 'Cups', currency: 'EUR', plan: 'growth', settings: { ucp } };
  const created = await admin('POST', '/tenants', { ...tenant, slug: `${shop.slug}x` });
  expect(created.body.errors).toMatchObject({ 'settings.ucp.storefront_url': problem });
  const init = { body: JSON.stringify({ ucp }), headers: { 'content-type': 'application/json' } };
  const taken = await fetchWith(LOCAL, 'PATCH', '/v1/settings', shop.token, init);
  expect([taken.status, await taken.json()]).toMatchObject([200, { ucp }]);
});

it('lets agents buy only where the plan includes it', async () => {
  const slug = `t${crypto.randomUUID().slice(0, 12)}`;
  const tenant = {
    slug,
    name: 'Cups',
    currency: 'EUR',
    plan: 'starter',
    settings: { ucp: { enabled: true } },
  };
  expectProblem(await admin('POST', '/tenants', tenant), 403, 'plan_not_allowed');
  const shop = await world({ plan: 'starter' });
  expectProblem(await shop.patch('/settings', tenant.settings), 403, 'plan_not_allowed');
});

it('takes no host of the service itself', async () => {
  const shop = await world();
  const body = JSON.stringify({ ucp: { enabled: true, hosts: ['api.shop.example'] } });
  const init = { body, headers: { 'content-type': 'application/json' } };
  const bindings = { ...env, API_HOSTS: 'api.shop.example' };
  const answer = await fetchWith(bindings, 'PATCH', '/v1/settings', shop.token, init);
  const errors = { 'ucp.hosts': [expect.stringContaining('api.shop.example')] };
  expect([answer.status, await answer.json()]).toMatchObject([422, { errors }]);
});

it.each([
  ['storefront_url', 'http://shop.example.com/'],
  ['storefront_url', 'http://10.0.0.1/'],
  ['storefront_url', 'http://127.0.0.1.example.com/'],
  ['product_url', 'http://shop.example.com/{slug}'],
  ['product_url', 'http://localhost@shop.example.com/{slug}'],
  ['product_url', 'http://{slug}.localhost/'],
])('never takes an http URL elsewhere: %s %s', async (field, url) => {
  const shop = await world();
  const body = JSON.stringify({ ucp: { enabled: true, [field]: url } });
  const init = { body, headers: { 'content-type': 'application/json' } };
  const answer = await fetchWith(LOCAL, 'PATCH', '/v1/settings', shop.token, init);
  const errors = { [`ucp.${field}`]: [expect.any(String)] };
  expect([answer.status, await answer.json()]).toMatchObject([422, { errors }]);
});
