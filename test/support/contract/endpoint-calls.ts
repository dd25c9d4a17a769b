import { env } from 'cloudflare:workers';
import { expect, inject } from 'vitest';
import { endpoints } from '../../../src/app.ts';
import { SCOPES, type Scope } from '../../../src/kernel/core/scopes.ts';
import type { EndpointSpec } from '../../../src/kernel/http/endpoint.ts';
import { type Answer, admin, type Options, send, type World, world } from '../world.ts';
import { isSampleOf, type Params, type Sample, samples } from './sample.ts';

/** Returns an endpoint's name as samples and tests have it: `PATCH /v1/products/{id}`. */
export const nameOf = (spec: EndpointSpec): string => `${spec.method.toUpperCase()} ${spec.path}`;

/** Pairs endpoints with their names, for the titles of `it.each` and `describe.each`. */
export const named = (list: readonly EndpointSpec[]) => list.map((spec) => [nameOf(spec), spec] as const);

/** The endpoints that a generated suite calls: all, or those of the modules in the environment's MODULES. */
export const endpointsUnderTest: readonly EndpointSpec[] = endpoints
  .map(({ spec }) => spec)
  .filter((spec) => isSampleOf(inject('modules'), nameOf(spec)));

/** Returns an endpoint's sample; fails the test if there is none. */
export function sampleOf(spec: EndpointSpec): Sample {
  const sample = samples[nameOf(spec)];
  expect(sample, `${nameOf(spec)} has no sample: see test/support/contract/sample.ts`).toBeDefined();
  return sample ?? {};
}

const created = new WeakMap<World, Map<EndpointSpec, Promise<Params>>>();

/** Returns the path parameters of an endpoint's sample; what they name is created once in each tenant. */
export function paramsOf(spec: EndpointSpec, shop: World): Promise<Params> {
  const ofShop = created.get(shop) ?? new Map<EndpointSpec, Promise<Params>>();
  const params = ofShop.get(spec) ?? sampleOf(spec).params?.(shop) ?? Promise.resolve({});
  created.set(shop, ofShop.set(spec, params));
  return params;
}

/** Creates two tenants with every permission, some with less, and tokens that are rejected. */
export async function createPrincipals() {
  const [shop, other, starter, suspended] = await Promise.all([
    world({ plan: 'enterprise' }),
    world({ plan: 'enterprise' }),
    world({ plan: 'starter' }),
    world({ plan: 'enterprise' }),
  ]);
  const token = async (more: Parameters<World['register']>[0]): Promise<string> =>
    (await shop.register({ kind: 'integration', ...more })).token;
  const [passive, expired, fenced] = await Promise.all([
    token({ status: 'passive' }),
    token({ expires_at: '2020-01-01T00:00:00Z' }),
    token({ allowed_origins: ['https://shop.example.com'] }),
  ]);
  await admin('PATCH', `/tenants/${suspended.slug}`, { status: 'suspended' });
  const lacking = new Map<Scope, Promise<string>>();
  /** Returns a token with every scope but this one. */
  const without = (scope: Scope): Promise<string> => {
    const known = lacking.get(scope) ?? token({ scopes: SCOPES.filter((other) => other !== scope) });
    lacking.set(scope, known);
    return known;
  };
  return { shop, other, starter, suspended, passive, expired, fenced, without };
}

/** The tenants and tokens of {@link createPrincipals}. */
export type Principals = Awaited<ReturnType<typeof createPrincipals>>;

/** Returns the path with its parameters; missing ones get an id that does not exist. */
export const pathOf = (spec: EndpointSpec, params: Params = {}): string =>
  spec.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? (name === 'slug' ? 'nobody' : 999_999_999)),
  );

/** Returns a token that may call the endpoint: the tenant's, the super-admin's, or none. */
export function tokenFor(spec: EndpointSpec, shop: World): string | null {
  if (spec.access === 'public') return null;
  return spec.access === 'platform' ? env.SUPER_ADMIN_TOKEN : shop.token;
}

/** Calls an endpoint with its sample and these path parameters. */
export const call = async (
  spec: EndpointSpec,
  shop: World,
  params: Params,
  options: Options = {},
): Promise<Answer> => (await prepared(spec, shop, params, options))();

/** Prepares a call once, to be made any number of times. */
export async function prepared(
  spec: EndpointSpec,
  shop: World,
  params: Params,
  options: Options = {},
): Promise<() => Promise<Answer>> {
  const { headers, query = '' } = sampleOf(spec);
  const search = typeof query === 'function' ? query(params) : query;
  const own = (await headers?.(shop, params)) ?? {};
  const request = {
    token: tokenFor(spec, shop),
    ...(await bodyOf(spec, shop, params)),
    ...options,
    headers: {
      ...own,
      ...(spec.stream ? { 'content-type': spec.stream.mediaTypes[0] ?? '' } : {}),
      ...options.headers,
    },
  };
  return () => send(spec.method.toUpperCase(), pathOf(spec, params) + search, request);
}

/** Returns the sample's body as options of {@link send}. */
export async function bodyOf(
  spec: EndpointSpec,
  shop: World,
  params: Params,
): Promise<{ body?: object; raw?: string | Uint8Array<ArrayBuffer> }> {
  const { body } = sampleOf(spec);
  const made = typeof body === 'function' ? await body(shop, params) : body;
  if (made === undefined) return {};
  // Bodies of samples are not shared between threads.
  if (made instanceof Uint8Array) return { raw: made as Uint8Array<ArrayBuffer> };
  return typeof made === 'string' ? { raw: made } : { body: made };
}

/** Asserts an error: its status, its code, and that it has the one error body. */
export function expectProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body?.code], JSON.stringify(answer.body)).toEqual([status, code]);
  expect(answer.body.message).toEqual(expect.any(String));
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  expect(answer.headers.get('cache-control')).toBe('no-store');
}
