import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { endpoints } from '../../src/app.ts';
import type { EndpointSpec } from '../../src/kernel/http/endpoint.ts';
import { openApiDocument } from '../support/contract/document.ts';
import { call, endpointsUnderTest, nameOf, sampleOf } from '../support/contract/endpoint-calls.ts';
import type { Params } from '../support/contract/sample.ts';
import { type Answer, type World, world } from '../support/world.ts';

/**
 * Sequences made from the links of the OpenAPI document: what an operation creates can be read and changed in any
 * order, and after it was deleted no other operation finds it.
 */

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly links?: Readonly<Record<string, Link>> }>>;
}

const contract = openApiDocument<{
  paths: Record<string, Record<string, Operation>>;
}>();
const specs = new Map(
  endpoints.map(({ spec }) => [contract.paths[spec.path]?.[spec.method]?.operationId, spec] as const),
);

/** What creates something, and what its links lead to. */
const created = endpointsUnderTest.flatMap((spec) => {
  const links = contract.paths[spec.path]?.[spec.method]?.responses[spec.status ?? 200]?.links;
  return links ? [[nameOf(spec), spec, Object.values(links)] as const] : [];
});

/** Returns the values of a link's parameters: runtime expressions on the request's path and the response's body. */
function follow({ parameters }: Link, params: Params, { body }: Answer): Params {
  const resolve = (expression: string): string | number => {
    const [, place, name = ''] = /^\$(request\.path\.|response\.body#\/)(.+)$/.exec(expression) ?? [];
    return place === 'request.path.' ? (params[name] ?? '') : body[name];
  };
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, resolve(value)]));
}

/**
 * Who makes the calls of a sequence: a tenant's token, a customer's session where the sample has one, and the catalogue
 * version of the last write.
 */
interface Actor {
  readonly shop: World;
  readonly headers: Record<string, string>;
}

/** Makes one call of the sequence, which sees the ones before. */
async function step(spec: EndpointSpec, { shop, headers }: Actor, params: Params): Promise<Answer> {
  const answer = await call(spec, shop, params, { headers });
  expect(answer.status, `${nameOf(spec)}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  const version = answer.headers.get('x-catalog-version');
  if (version !== null) headers['x-catalog-version'] = version;
  return answer;
}

it('links what can be created to what reads it', () => {
  expect(created.length).toBeGreaterThan(inject('modules').length > 0 ? -1 : 10);
});

it.each(created)('what %s creates can be read and changed until it is deleted', async (_, spec, links) => {
  const targets = links.map((link) => ({ link, to: specs.get(link.operationId) }));
  expect(targets.filter(({ to }) => to === undefined)).toEqual([]);
  const alive = targets.filter(({ to }) => to && to.method !== 'delete');
  const [deletion] = targets.filter(({ to }) => to?.method === 'delete');
  // Up to six reads and changes in any order; a failure is shrunk to the fewest.
  const orders = fc.array(fc.nat(Math.max(0, alive.length - 1)), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const shop = await world({ plan: 'enterprise' });
      const params = (await sampleOf(spec).params?.(shop)) ?? {};
      const actor = { shop, headers: { ...(await sampleOf(spec).headers?.(shop, params)) } };
      const made = await step(spec, actor, params);
      expect(made.status, JSON.stringify(made.body)).toBe(spec.status ?? 200);
      for (const { link, to } of order.flatMap((n) => alive[n] ?? [])) {
        if (!to) continue;
        expect((await step(to, actor, follow(link, params, made))).status, nameOf(to)).toBe(to.status ?? 200);
      }
      if (!deletion?.to) return;
      const gone = follow(deletion.link, params, made);
      expect((await step(deletion.to, actor, gone)).status).toBe(deletion.to.status ?? 200);
      for (const { link, to } of targets) {
        if (to) expect((await step(to, actor, follow(link, params, made))).status, nameOf(to)).toBe(404);
      }
    }),
    { numRuns: 2 },
  );
});
