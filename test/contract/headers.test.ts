import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../support/contract/document.ts';
import { call, endpointsUnderTest, named, sampleOf } from '../support/contract/endpoint-calls.ts';
import { type World, world } from '../support/world.ts';

/** The headers of a response that succeeds are those of the OpenAPI document, made from a sample of each endpoint. */

interface Operation {
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, object>> }>>;
}

const contract = openApiDocument<{ paths: Record<string, Record<string, Operation>> }>();

/** Headers of replays, of refusals, and of pages that are followed by another one. */
const SOMETIMES = ['Idempotent-Replayed', 'Retry-After', 'Link'];

let shop: World;
beforeAll(async () => {
  shop = await world({ plan: 'enterprise' });
});

describe.each(named(endpointsUnderTest))('%s', (_, spec) => {
  it('sends the headers that the document promises', async () => {
    const params = (await sampleOf(spec).params?.(shop)) ?? {};
    const { status, headers, body } = await call(spec, shop, params);
    expect(status, JSON.stringify(body)).toBe(spec.status ?? 200);
    const documented = contract.paths[spec.path]?.[spec.method]?.responses[status]?.headers ?? {};
    const promised = Object.keys(documented).filter((name) => !SOMETIMES.includes(name));
    expect(promised.filter((name) => !headers.has(name))).toEqual([]);
  });
});
