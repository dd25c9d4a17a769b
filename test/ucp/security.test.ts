/**
 * What every operation of the protocol must refuse, over both transports, made from the list of operations; and that
 * this list is all that there is below `/ucp`.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/ucp/operations.ts';
import type { OperationSpec } from '../../src/ucp/protocol/operation.ts';
import { ucpRoutes } from '../../src/ucp/router.ts';
import { createPrincipals } from '../support/contract/endpoint-calls.ts';
import { callOperation, expectRefused, ready, TRANSPORTS } from '../support/fixtures/agents/agent.ts';
import { agentOf, forgetTenants, sendUcp, servePlatform } from '../support/fixtures/agents/agent-shop.ts';
import { Platform } from '../support/fixtures/agents/platform.ts';
import { admin, type World, world } from '../support/world.ts';

/** A payload that the operation takes; whatever it names does not exist. */
const payloadOf = ({ name, argument }: OperationSpec): object => {
  if (name === 'search_catalog') return { query: 'cup' };
  if (name === 'lookup_catalog') return { ids: ['p999999999'] };
  if (name === 'get_product') return { id: 'p999999999' };
  return argument === null || name === 'complete_checkout' ? {} : ready('p999999999');
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const UCP_ON = { settings: { ucp: { enabled: true } } };

/** The shared suite's tenants with UCP, one whose plan no longer has it, and a platform that signs nothing. */
async function createCallers() {
  const principals = await createPrincipals();
  const { shop, other, suspended } = principals;
  const patch = (tenant: World, change: object) => admin('PATCH', `/tenants/${tenant.slug}`, change);
  for (const tenant of [shop, other, suspended]) {
    expect((await patch(tenant, UCP_ON)).status).toBe(200);
  }
  const downgraded = await world(UCP_ON);
  expect((await patch(downgraded, { plan: 'starter' })).status).toBe(200);
  const [platform, stranger] = await Promise.all([Platform.create(), Platform.create()]);
  const agent = async (tenant: World, more: Parameters<World['register']>[0] = {}): Promise<string> =>
    (await tenant.register({ kind: 'agent', agent_profile: platform.uri, ...more })).token;
  const tokens = {
    own: await agent(shop),
    passive: await agent(shop, { status: 'passive' }),
    expired: await agent(shop, { expires_at: '2020-01-01T00:00:00Z' }),
    elsewhere: await agent(other),
    strangers: await agent(shop, { agent_profile: stranger.uri }),
    integration: shop.token,
  };
  forgetTenants();
  return { shop, other, suspended, downgraded, platform, tokens, patch };
}

let callers: Awaited<ReturnType<typeof createCallers>>;
beforeAll(async () => {
  callers = await createCallers();
});

/** Calls an operation of a tenant in the name of the platform. */
const callAt = (tenant: Pick<World, 'slug'>, transport: (typeof TRANSPORTS)[number], spec: OperationSpec) => {
  const call = callOperation(agentOf(tenant, callers.platform.uri), transport, spec);
  return (headers: Record<string, string> = {}) => call('uc_invented', payloadOf(spec), headers);
};

const cases = TRANSPORTS.flatMap((transport) =>
  operations.map(({ spec }) => [spec.name, transport, spec] as const),
);

describe.each(cases)('%s over %s', (_, transport, spec) => {
  const call = (headers?: Record<string, string>) => callAt(callers.shop, transport, spec)(headers);

  it('serves an agent with a token, and nobody without proof where it is required', async () => {
    const served = await call(bearer(callers.tokens.own));
    expect([200, 201], JSON.stringify(served.body)).toContain(served.status);
    const unproven = await call();
    if (spec.identity === 'required') expectRefused(unproven, 401, 'signature_missing');
    else expect(unproven.status).toBe(200);
  });

  it.each(['passive', 'expired', 'elsewhere'] as const)(
    "refuses an agent's token that is %s",
    async (kind) => {
      expectRefused(await call(bearer(callers.tokens[kind])), 401, 'unauthorized');
    },
  );

  it.each([
    ['what is no token', bearer('sfe_live_1')],
    ['a made-up token', bearer(`sfe_live_1-1_${'a'.repeat(32)}_1${'b'.repeat(12)}`)],
    ['a very long token', bearer('x'.repeat(8_000))],
    ['a made-up API key', { 'x-api-key': 'key' }],
  ])('refuses %s', async (_case, headers) => {
    expectRefused(await call(headers), 401, 'unauthorized');
  });

  it.each(['strangers', 'integration'] as const)(
    'refuses a token of another profile or kind: %s',
    async (kind) => {
      expectRefused(await call(bearer(callers.tokens[kind])), 403, 'profile_not_trusted');
    },
  );

  it('refuses a signature that is not of this request', async () => {
    const headers = await callers.platform.sign({ method: 'POST', url: 'https://api.example.com/elsewhere' });
    const signed = ['signature', 'signature-input'].map((name) => [name, headers.get(name) ?? '']);
    expectRefused(await call(Object.fromEntries(signed)), 401, 'signature_invalid');
  });

  it('refuses tenants that are suspended, of a smaller plan, or unknown', async () => {
    const at = (tenant: Pick<World, 'slug'>) => callAt(tenant, transport, spec)();
    expectRefused(await at(callers.suspended), 403, 'tenant_suspended');
    expectRefused(await at(callers.downgraded), 404, 'tenant_not_found');
    expectRefused(await at({ slug: 'nobody' }), 404, 'tenant_not_found');
  });
});

it.each(TRANSPORTS)(
  'ends every operation over %s within two seconds of switching UCP off',
  async (transport) => {
    const { other, patch, platform } = callers;
    const agent = agentOf(other, servePlatform());
    const search = operations.find(({ spec }) => spec.name === 'search_catalog')?.spec;
    expect(search && (await callOperation(agent, transport, search)('', payloadOf(search))).status).toBe(200);
    await patch(other, { settings: { ucp: { enabled: false } } });
    forgetTenants();
    for (const { spec } of operations) {
      expectRefused(await callAt(other, transport, spec)(), 404, 'tenant_not_found');
    }
    const profile = await sendUcp('GET', `/ucp/${other.slug}/.well-known/ucp`);
    expect([profile.status, profile.body.code, platform.fetches > 0]).toEqual([
      404,
      'tenant_not_found',
      true,
    ]);
    await patch(other, UCP_ON);
    forgetTenants();
  },
);

it('has no route below /ucp that is not an operation, the profile or MCP', () => {
  const paths = new Set(ucpRoutes().routes.map(({ path }) => path));
  const known = operations.map(({ spec }) => `/ucp/:tenant${spec.path.replace('{id}', ':id')}`);
  expect([...paths].sort()).toEqual(
    [
      ...new Set(known),
      ...['/.well-known/ucp', '/ucp/:tenant/.well-known/ucp', '/ucp/:tenant/mcp', '/ucp/*'],
    ].sort(),
  );
});

describe.each(
  operations.filter(({ spec }) => spec.method !== 'get').map(({ spec }) => [spec.name, spec] as const),
)('the body of %s', (_, spec) => {
  const send = (body: string, type = 'application/json', more: Record<string, string> = {}) => {
    const path = `/ucp/${callers.shop.slug}${spec.path.replace('{id}', 'uc_invented')}`;
    const headers = {
      'ucp-agent': `profile="${callers.platform.uri}"`,
      'idempotency-key': crypto.randomUUID(),
      ...bearer(callers.tokens.own),
      'content-type': type,
      ...more,
    };
    return sendUcp(spec.method.toUpperCase(), path, { headers, body });
  };

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json'])(
    'is not of the type %s',
    async (type) => {
      expectRefused(await send('{}', type), 415, 'unsupported_media_type');
    },
  );

  it('is not compressed, too large or malformed', async () => {
    const packed = { 'content-encoding': 'gzip' };
    expectRefused(await send('{}', 'application/json', packed), 415, 'unsupported_media_type');
    const large = JSON.stringify({ text: 'x'.repeat(70_000) });
    expectRefused(await send(large), 413, 'payload_too_large');
    if (spec.argument === null) return;
    for (const raw of ['{', "{'a': 1}", '{"a": 1} x']) expectRefused(await send(raw), 400, 'invalid_json');
    for (const raw of ['null', '[]', '"text"', '7']) expectRefused(await send(raw), 400, 'invalid_request');
  });
});
