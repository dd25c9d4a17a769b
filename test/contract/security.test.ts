import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/app.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import type { Scope } from '../../src/kernel/core/scopes.ts';
import { type EndpointSpec, MAX_BODY_BYTES } from '../../src/kernel/http/endpoint.ts';
import { takesKey } from '../../src/kernel/openapi/operation.ts';
import {
  bodyOf,
  call,
  createPrincipals,
  endpointsUnderTest,
  expectProblem,
  named,
  nameOf,
  type Principals,
  paramsOf,
  pathOf,
  sampleOf,
  tokenFor,
} from '../support/contract/endpoint-calls.ts';
import { samples } from '../support/contract/sample.ts';
import { failStatements, STORES_RESPONSE } from '../support/faults/database.ts';
import { lazy } from '../support/lazy.ts';
import { type Answer, send } from '../support/world.ts';

/** What every endpoint of the service must do, made from the list of endpoints and a sample of each. */

const specs = endpointsUnderTest;
const ofTokens = specs.filter(({ access }) => access !== 'public' && access !== 'platform');
const ofPlatform = specs.filter(({ access }) => access === 'platform');

let principals: Principals;
beforeAll(async () => {
  principals = await createPrincipals();
});

/** A request that gets no further than the guards. */
const callBare = (spec: EndpointSpec, token: string | null, headers: Record<string, string> = {}) =>
  send(spec.method.toUpperCase(), pathOf(spec), { token, headers });

/** What an answer is about. A second run may show other times, or open another session. */
function identity({ body }: Answer) {
  const { id, slug, number, sku, event_id, customer, secret } = body ?? {};
  return { id, slug, number, sku, event_id, customer: customer?.id, secret };
}

it('has a sample of each endpoint and no others', () => {
  expect(Object.keys(samples).sort()).toEqual(endpoints.map(({ spec }) => nameOf(spec)).sort());
});

describe.each(named(specs))('%s', (_, spec) => {
  it('succeeds for an authorized caller', async () => {
    const sample = sampleOf(spec);
    const params = (await sample.params?.(principals.shop)) ?? {};
    const answer = await call(spec, principals.shop, params);
    expect(answer.status, JSON.stringify(answer.body)).toBe(spec.status ?? 200);
  });

  if (takesKey(spec))
    it('takes effect once for one Idempotency-Key', async () => {
      const params = (await sampleOf(spec).params?.(principals.shop)) ?? {};
      const body = await bodyOf(spec, principals.shop, params);
      const own = await sampleOf(spec).headers?.(principals.shop, params);
      const headers = { ...own, 'idempotency-key': crypto.randomUUID() };
      const first = await call(spec, principals.shop, params, { ...body, headers });
      const second = await call(spec, principals.shop, params, { ...body, headers });
      expect(first.status, JSON.stringify(first.body)).toBe(spec.status ?? 200);
      expect([second.status, second.body]).toEqual([first.status, first.body]);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      const tooLong = { ...own, 'idempotency-key': 'k'.repeat(256) };
      const long = await call(spec, principals.shop, params, { headers: tooLong });
      expectProblem(long, 422, 'validation_error');
    });

  if (takesKey(spec) && spec.idempotent !== 'own')
    it('has its effect once although its first response was lost', async () => {
      const params = (await sampleOf(spec).params?.(principals.shop)) ?? {};
      const body = await bodyOf(spec, principals.shop, params);
      const own = await sampleOf(spec).headers?.(principals.shop, params);
      const headers = { ...own, 'idempotency-key': crypto.randomUUID() };
      const restore = failStatements(STORES_RESPONSE);
      const first = await call(spec, principals.shop, params, { ...body, headers });
      restore();
      expect(first.status, JSON.stringify(first.body)).toBe(spec.status ?? 200);
      moveClock(31_000);
      const second = await call(spec, principals.shop, params, { ...body, headers });
      expect([second.status, identity(second)]).toEqual([first.status, identity(first)]);
      expect(second.headers.get('idempotent-replayed')).toBeNull();
    });

  if (spec.path.includes('{id}') || spec.path.includes('_token}'))
    it("answers 404 for another tenant's id", async () => {
      const params = await paramsOf(spec, principals.shop);
      // Below a tenant's slug the id is another's; else the token is.
      const foreign = spec.access === 'platform' ? { ...params, slug: principals.other.slug } : params;
      expectProblem(
        await call(spec, principals.other, foreign),
        404,
        sampleOf(spec).foreign ?? 'no code in the sample',
      );
    });
});

describe.each(named(ofTokens))('%s, with a token', (_, spec) => {
  it.each([
    ['no token', {}],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic c2hvcDpzaG9w' }],
    ['a token without a scheme', { authorization: `sfe_live_1-1_${'a'.repeat(32)}_1${'b'.repeat(12)}` }],
    ['what is no token', { authorization: 'Bearer sfe_live_1' }],
    ['a made-up token', { authorization: `Bearer sfe_live_1-1_${'a'.repeat(32)}_1${'b'.repeat(12)}` }],
    ['a very long token', { authorization: `Bearer ${'x'.repeat(8_000)}` }],
  ])('rejects %s', async (_case, headers) => {
    const answer = await callBare(spec, null, headers);
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('ratelimit')).toBeNull();
  });

  it.each(['passive', 'expired'] as const)('rejects the token of an application that is %s', async (kind) => {
    const [answer, none] = await Promise.all([callBare(spec, principals[kind]), callBare(spec, null)]);
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.body.message).toBe(none.body.message);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('requires its scope, and names it', async () => {
    // Only endpoints with a scope are selected.
    const scope = spec.access as Scope;
    const answer = await callBare(spec, await principals.without(scope));
    expectProblem(answer, 403, 'insufficient_scope');
    expect(answer.body.details).toEqual({ required_scope: scope });
    expect(answer.body.message).toContain(scope);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('6000');
  });

  it('rejects a suspended tenant', async () => {
    expectProblem(await callBare(spec, principals.suspended.token), 403, 'tenant_suspended');
  });

  it('rejects an origin that the application does not list, without CORS headers', async () => {
    const answer = await callBare(spec, principals.fenced, { origin: 'https://evil.example.com' });
    expectProblem(answer, 403, 'origin_not_allowed');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('vary')).toBe('Origin');
    const listed = await callBare(spec, principals.fenced, { origin: 'https://shop.example.com' });
    expect(listed.body?.code).not.toBe('origin_not_allowed');
    expect(listed.headers.get('access-control-allow-origin')).toBe('https://shop.example.com');
  });

  if (spec.feature)
    it('rejects a plan without the feature', async () => {
      expectProblem(await callBare(spec, principals.starter.token), 403, 'plan_not_allowed');
    });
});

describe.each(named(ofPlatform))('%s, with the super-admin token', (_, spec) => {
  it.each([
    ['no token', () => null],
    ['a wrong token', () => 'test-super-admin-token-000000000001'],
    ['an application token', () => principals.shop.token],
  ])('rejects %s', async (_case, token) => {
    const answer = await callBare(spec, token());
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

const ofBodies = specs.filter((spec) => spec.body);
/** Of a list of inputs that one check refuses: all at the first endpoint, the first at each other one. */
const someFor = <T>(spec: EndpointSpec, inputs: T[]): T[] =>
  inputs.slice(0, spec === ofBodies[0] ? inputs.length : 1);

describe.each(named(ofBodies))('%s, with a body', (_, spec) => {
  const own = lazy(async () =>
    sampleOf(spec).headers?.(principals.shop, await paramsOf(spec, principals.shop)),
  );
  const post = async (raw: string, type = 'application/json') =>
    send(spec.method.toUpperCase(), pathOf(spec, await paramsOf(spec, principals.shop)), {
      token: tokenFor(spec, principals.shop),
      raw,
      headers: { ...(await own()), 'content-type': type },
    });
  const mediaTypes = ['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json', 'json'];

  it.each(someFor(spec, mediaTypes))('rejects the media type %s', async (type) => {
    const answer = await post('{}', type);
    expectProblem(answer, 415, 'unsupported_media_type');
    expect(answer.body.details).toEqual({ takes: 'application/json' });
  });

  it('rejects a body that is too large', async () => {
    const limit = spec.maxBytes ?? MAX_BODY_BYTES;
    const answer = await post(JSON.stringify({ text: 'x'.repeat(limit) }));
    expectProblem(answer, 413, 'payload_too_large');
    expect(answer.body.details).toEqual({ max_bytes: limit });
  });

  it.each(someFor(spec, ['{', '{"a": 1,}', "{'a': 1}", 'undefined', '{"a": 1} x']))(
    'rejects malformed JSON: %s',
    async (raw) => {
      expectProblem(await post(raw), 400, 'invalid_json');
    },
  );

  it.each(['null', '[]', '"text"', '7'])('rejects JSON that is no object: %s', async (raw) => {
    expectProblem(await post(raw), 422, 'validation_error');
  });

  it('rejects and names an unknown field, before loading the resource', async () => {
    const params = await paramsOf(spec, principals.shop);
    const { body } = await bodyOf(spec, principals.other, params);
    const surprises = { surprise: 1, constructor: 1 };
    const answer = await call(spec, principals.other, params, { body: { ...body, ...surprises } });
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors)).toEqual(expect.arrayContaining(Object.keys(surprises)));
  });
});

it.each(named(specs.filter((spec) => spec.body || spec.stream)))(
  '%s rejects Content-Encoding, whether the body is compressed or not',
  async (_, spec) => {
    const type = spec.stream?.mediaTypes[0] ?? 'application/json';
    const plain = spec.stream ? 'Handle,Title\n' : '{}';
    const packed = await new Response(
      new Blob([plain]).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer();
    const params = await paramsOf(spec, principals.shop);
    const own = await sampleOf(spec).headers?.(principals.shop, params);
    for (const [raw, coding] of [
      [packed, 'gzip'],
      [plain, 'gzip'],
      [plain, 'identity, br'],
    ] as const) {
      const headers = { ...own, 'content-type': type, 'content-encoding': coding };
      const token = tokenFor(spec, principals.shop);
      const answer = await send(spec.method.toUpperCase(), pathOf(spec, params), { token, raw, headers });
      expectProblem(answer, 415, 'unsupported_media_type');
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    }
  },
);

it.each(named(specs.filter((spec) => spec.stream)))('%s rejects other media types', async (_, spec) => {
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await call(spec, principals.shop, await paramsOf(spec, principals.shop), { headers });
  expectProblem(answer, 415, 'unsupported_media_type');
});
