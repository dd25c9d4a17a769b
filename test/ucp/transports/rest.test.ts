import { describe, expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import { holdBody } from '../../support/faults/slow-request.ts';
import { agentShop } from '../../support/fixtures/agents/agent.ts';
import { sendUcp, servePlatform, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { countStorageCalls } from '../../support/storage/storage-calls.ts';
import { admin, world } from '../../support/world.ts';

const storefront = 'https://shop.example.com/';

describe('a REST request', () => {
  it('names the negotiated version and the relevant capabilities only', async () => {
    const shop = await ucpShop();
    const answer = await shop.rest('POST', '/catalog/search', { query: 'nothing' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.body.ucp).toEqual({
      version: '2026-04-08',
      status: 'success',
      capabilities: { 'dev.ucp.shopping.catalog.search': [{ version: '2026-04-08' }] },
    });
    expect(answer.body.products).toEqual([]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });

  it.each([
    ['no header', undefined],
    ['no dictionary', '"https://agent.example.com/profile"'],
    ['no profile', 'name="agent"'],
    ['a profile that is no string', 'profile=1'],
    ['a profile that is no URL', 'profile="agent"'],
    ['a profile without https', 'profile="http://agent.example.com/profile"'],
  ])('is refused with %s in UCP-Agent', async (_, header) => {
    const shop = await ucpShop({ ucp: { storefront_url: storefront } });
    const headers = { 'content-type': 'application/json', ...(header && { 'ucp-agent': header }) };
    const answer = await sendUcp('POST', `/ucp/${shop.slug}/catalog/search`, {
      headers,
      body: '{"query":"a"}',
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      code: 'invalid_profile_url',
      content: expect.any(String),
      continue_url: storefront,
    });
  });

  it('finds the profile among other members of UCP-Agent', async () => {
    const shop = await ucpShop();
    const header = `name="a \\"b\\", c", profile="${shop.profile}";v=1, last`;
    const answer = await shop.rest('POST', '/catalog/search', { query: 'a' }, { 'ucp-agent': header });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['is suspended', { status: 'suspended' }, 403, 'tenant_suspended'],
    ['leaves the protocol', { settings: { ucp: { enabled: false } } }, 404, 'tenant_not_found'],
  ])('is refused when the shop %s while the body arrives', async (_, change, status, code) => {
    const shop = await ucpShop();
    const headers = { 'ucp-agent': `profile="${shop.profile}"`, 'content-type': 'application/json' };
    const held = holdBody('POST', `/ucp/${shop.slug}/catalog/search`, '{"query":"a"}', headers);
    await held.reached;
    expect((await admin('PATCH', `/tenants/${shop.slug}`, change)).status).toBe(200);
    moveClock(3_000);
    const response = await held.finish();
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  });

  it('cancels without an idempotency key, as the examples of the texts do', async () => {
    const { agent, ...shop } = await agentShop('REST');
    const { id } = (await shop.rest('POST', '/carts', { line_items: [] })).body;
    expect((await shop.rest('POST', `/carts/${id}/cancel`)).status).toBe(200);
    expect((await agent.cart.get(id)).body.messages).toMatchObject([{ code: 'not_found' }]);
  });

  it('is refused when UCP-Agent names another version beside the profile', async () => {
    const shop = await ucpShop();
    const ask = (version: string) => {
      const header = { 'ucp-agent': `profile="${shop.profile}";version="${version}"` };
      return shop.rest('POST', '/catalog/search', { query: 'a' }, header);
    };
    expect(await ask('2099-01-01')).toMatchObject({ status: 422, body: { code: 'version_unsupported' } });
    expect((await ask('2026-04-08')).status).toBe(200);
  });

  it('is refused when the platform speaks another version', async () => {
    const shop = await ucpShop({ platform: { version: '2026-01-11' } });
    const answer = await shop.rest('POST', '/catalog/search', { query: 'a' });
    expect([answer.status, answer.body.code]).toEqual([422, 'version_unsupported']);
  });

  it('reports a business outcome when the platform lacks the capability', async () => {
    const capabilities = { 'dev.ucp.shopping.catalog.search': [{ version: '2026-01-11' }] };
    const shop = await ucpShop({ platform: { capabilities }, ucp: { storefront_url: storefront } });
    const answer = await shop.rest('POST', '/catalog/search', { query: 'a' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      ucp: { version: '2026-04-08', status: 'error', capabilities: {} },
      messages: [{ type: 'error', code: 'capabilities_incompatible', severity: 'unrecoverable' }],
      continue_url: storefront,
    });
  });

  it.each([
    ['no JSON', '{', 'invalid_json'],
    ['an input of the wrong type', '{"query":7}', 'invalid_request'],
    ['no input at all', '{}', 'invalid_request'],
  ])('is refused with %s', async (_, body, code) => {
    const shop = await ucpShop();
    const headers = { 'content-type': 'application/json', 'ucp-agent': `profile="${shop.profile}"` };
    const answer = await sendUcp('POST', `/ucp/${shop.slug}/catalog/search`, { headers, body });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('is refused with a body that is too large, or not JSON by its type', async () => {
    const shop = await ucpShop();
    const large = await shop.rest('POST', '/catalog/search', { query: 'x'.repeat(70_000) });
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    const text = await shop.rest('POST', '/catalog/search', { query: 'a' }, { 'content-type': 'text/plain' });
    expect([text.status, text.body.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('a tenant', () => {
  it.each([
    ['that does not exist', async () => 'no-such-shop', 404],
    ['without the protocol', async () => (await world()).slug, 404],
    ['that has it disabled', async () => (await ucpShop({ ucp: { enabled: false } })).slug, 404],
  ])('%s is not found', async (_, slugOf, status) => {
    const headers = { 'content-type': 'application/json', 'ucp-agent': `profile="${servePlatform()}"` };
    const path = `/ucp/${await slugOf()}`;
    const answer = await sendUcp('POST', `${path}/catalog/search`, { headers, body: '{"query":"a"}' });
    expect([answer.status, answer.body.code]).toEqual([status, 'tenant_not_found']);
    expect((await sendUcp('GET', `${path}/.well-known/ucp`)).status).toBe(status);
  });

  it('is not looked up by what can be no slug', async () => {
    const { env, calls } = countStorageCalls();
    const path = `/ucp/${'x'.repeat(5_000)}/.well-known/ucp`;
    const response = await fetchWith(env, 'GET', path, '');
    const { code } = await response.json<{ code: string }>();
    expect([response.status, code, calls.database]).toEqual([404, 'tenant_not_found', 0]);
  });

  it('cannot enable the protocol in a plan without it', async () => {
    const shop = await world({ plan: 'starter' });
    const answer = await shop.patch('/settings', { ucp: { enabled: true } });
    expect([answer.status, answer.body.code]).toEqual([403, 'plan_not_allowed']);
  });
});

it('responds in the form of the protocol to unknown addresses and methods', async () => {
  const shop = await ucpShop();
  const missing = await sendUcp('GET', `/ucp/${shop.slug}/nothing`);
  expect([missing.status, missing.body.code]).toEqual([404, 'not_found']);
  const method = await sendUcp('GET', `/ucp/${shop.slug}/catalog/search`);
  expect([method.status, method.body.code]).toEqual([405, 'method_not_allowed']);
  expect(method.headers.get('allow')).toBe('POST');
});
