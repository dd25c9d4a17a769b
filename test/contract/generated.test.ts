import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { EndpointSpec } from '../../src/kernel/http/endpoint.ts';
import { EventWaiters } from '../../src/tenants/object/event-waiters.ts';
import { openApiDocument } from '../support/contract/document.ts';
import {
  bodyOf,
  endpointsUnderTest,
  nameOf,
  sampleOf,
  tokenFor,
} from '../support/contract/endpoint-calls.ts';
import { hostileBody, hostileValue, nearly } from '../support/contract/hostile.ts';
import type { Params } from '../support/contract/sample.ts';
import { arbitraryOf, type Components, type Schema } from '../support/contract/schema-arbitrary.ts';
import { type Answer, type Options, send, type World, world } from '../support/world.ts';

/**
 * Requests made from the OpenAPI document alone: what it describes, what is nearly that, and what is hostile.
 * `send` checks that every response is documented; here none may be a 5xx.
 */

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const contract = openApiDocument<{
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Components };
}>();
const components = contract.components.schemas;

const documented = endpointsUnderTest
  .map((spec) => ({ spec, operation: contract.paths[spec.path]?.[spec.method] }))
  .filter((one): one is { spec: EndpointSpec; operation: Operation } => one.operation !== undefined);

/** A generated request of an operation. */
interface Generated {
  readonly params: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly options: Pick<Options, 'body' | 'raw' | 'headers'>;
  readonly token: 'own' | 'none' | 'wrong';
}

/** Returns a value as it stands in a URL: text as it is, anything else as JSON. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Query parameters: some of the documented ones, with documented and hostile values, some twice. */
function queries(operation: Operation): fc.Arbitrary<Generated['query']> {
  const known = (operation.parameters ?? []).filter((one) => one.in === 'query');
  if (known.length === 0) return fc.constant([]);
  const one = fc
    .constantFrom(...known)
    .chain(({ name, schema }) =>
      fc
        .oneof(
          { weight: 3, arbitrary: arbitraryOf(schema, components) },
          { weight: 1, arbitrary: hostileValue() },
        )
        .map((value): readonly [string, string] => [name, asText(value)]),
    );
  return fc.array(one, { maxLength: 3 });
}

/** Bodies: as documented, the sample with a part replaced, or no JSON at all. */
function bodies(operation: Operation, sample: object | undefined): fc.Arbitrary<Generated['options']> {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (!schema) return fc.oneof(fc.constant({}), operation.requestBody ? hostileBody() : fc.constant({}));
  const described = arbitraryOf(schema, components);
  return fc.oneof(
    { weight: 3, arbitrary: described.map((body) => ({ body })) },
    { weight: 2, arbitrary: described.chain(nearly).map((body) => ({ body })) },
    { weight: 3, arbitrary: nearly(sample ?? {}).map((body) => ({ body })) },
    { weight: 1, arbitrary: hostileBody() },
  );
}

/** Path parameters: those of something that exists, or anything else. */
const paths = (params: Params): fc.Arbitrary<Generated['params']> =>
  fc.record(
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        fc.oneof(
          { weight: 4, arbitrary: fc.constant(String(value)) },
          {
            weight: 1,
            arbitrary: hostileValue()
              .map(asText)
              .filter((one) => one !== '' && !/^\.\.?$/.test(one)),
          },
        ),
      ]),
    ),
  );

const tokens = fc.oneof(
  { weight: 12, arbitrary: fc.constant('own' as const) },
  { weight: 1, arbitrary: fc.constantFrom('none' as const, 'wrong' as const) },
);

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

async function request(spec: EndpointSpec, shop: World, made: Generated): Promise<Answer> {
  const path = spec.path.replace(/\{([^}]+)\}/g, (_, name: string) => encode(made.params[name] ?? '1'));
  const query = made.query
    .map(([name, value]) => `${encode(name)}=${encode(value).slice(0, 4_000)}`)
    .join('&');
  const own = { own: tokenFor(spec, shop), none: null, wrong: 'sfe_live_1-1_x' }[made.token];
  const headers = { ...(await sampleOf(spec).headers?.(shop, made.params)), ...made.options.headers };
  return send(spec.method.toUpperCase(), query ? `${path}?${query}` : path, {
    ...made.options,
    headers,
    token: own,
  });
}

/** How long (ms) a call waits at most for events that don't come, instead of up to twenty seconds. */
const MAX_WAIT_MS = 20;
const wait = EventWaiters.prototype.wait;

beforeAll(() => {
  vi.spyOn(EventWaiters.prototype, 'wait').mockImplementation(function (this: EventWaiters, request) {
    return wait.call(this, { ...request, waitMs: Math.min(request.waitMs, MAX_WAIT_MS) });
  });
});
afterAll(() => {
  vi.mocked(EventWaiters.prototype.wait).mockRestore();
});

describe.each(documented.map((one) => [nameOf(one.spec), one] as const))('%s', (_, { spec, operation }) => {
  it('answers any request with a documented response, and never with a 5xx', async () => {
    const shop = await world({ plan: 'enterprise' });
    const params = (await sampleOf(spec).params?.(shop)) ?? {};
    const { body } = await bodyOf(spec, shop, params);
    const requests = fc.record({
      params: paths(params),
      query: queries(operation),
      options: bodies(operation, body),
      token: tokens,
    });
    await fc.assert(
      fc.asyncProperty(requests, async (made) => {
        const first = await request(spec, shop, made);
        // On a busy machine the limiter may not respond in time. What a request causes, it causes again.
        const answer = first.status === 503 ? await request(spec, shop, made) : first;
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
        if (made.token === 'own' || spec.access === 'public') return;
        // A path that is no text is refused before anything else.
        expect([401, 404, 422]).toContain(answer.status);
      }),
      { numRuns: inject('requestCases') },
    );
  });
});
