import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { endpoints, pages } from '../../src/app.ts';
import type { EndpointSpec } from '../../src/kernel/http/endpoint.ts';
import { endpointsUnderTest, expectProblem, pathOf } from '../support/contract/endpoint-calls.ts';
import { send } from '../support/world.ts';

/** Which methods an address takes, and what it says to others: the same for everything that the service serves. */

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

const fetch = (method: string, path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(
    new Request(`https://api.example.com${path}`, { method, redirect: 'manual', headers }),
  );

/** Every address of the service, with the methods that it takes. */
const taken = new Map<string, readonly string[]>([
  ['/', ['GET', 'HEAD']],
  ['/healthz', ['GET', 'HEAD']],
  ['/readyz', ['GET', 'HEAD']],
  ['/v1/openapi.json', ['GET', 'HEAD']],
  ['/docs', ['GET', 'HEAD']],
  ['/docs/', ['GET', 'HEAD']],
  ['/panel-assets/panel.css', ['GET', 'HEAD']],
  ['/checkout/ck_x', ['GET', 'HEAD', 'POST']],
  ['/checkout/ck_x/return', ['GET', 'HEAD']],
  ['/downloads/dl_x', ['GET', 'HEAD']],
  ['/payments/stripe/nobody', ['POST']],
  [`/media/nobody/${'0'.repeat(64)}`, ['GET', 'HEAD']],
]);
const note = (path: string, method: string) =>
  taken.set(path, [...(taken.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
for (const { spec } of endpoints) note(pathOf(spec), spec.method.toUpperCase());
for (const { path, method } of pages) note(path.replace(/:\w+/g, '999999999'), method.toUpperCase());

describe.each([...taken])('%s', (path, methods) => {
  it('answers 405 with Allow to every other method, with or without a token', async () => {
    for (const method of METHODS.filter((one) => !methods.includes(one))) {
      const answer = await fetch(method, path);
      const allow = answer.headers.get('allow')?.split(', ').sort();
      expect([method, answer.status, allow]).toEqual([method, 405, [...methods].sort()]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      await answer.body?.cancel();
    }
  });

  if (methods.includes('GET'))
    it('answers HEAD as GET, without a body', async () => {
      const headers = { authorization: `Bearer ${env.SUPER_ADMIN_TOKEN}` };
      const [get, head] = [await fetch('GET', path, headers), await fetch('HEAD', path, headers)];
      expect([head.status, await head.text()]).toEqual([get.status, '']);
      for (const name of ['content-type', 'cache-control', 'location', 'etag', 'content-security-policy']) {
        const same = (text: string | null) => text?.replace(/nonce-[^']+/g, 'nonce');
        expect(same(head.headers.get(name)), name).toBe(same(get.headers.get(name)));
      }
      await get.body?.cancel();
    });
});

it.each(['/docs/nothing', '/panel-assets/nothing'])('answers 404 at %s, not to be cached', async (path) => {
  const answer = await fetch('GET', path);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect((await answer.json<{ code: string }>()).code).toBe('not_found');
});

describe('paths', () => {
  const paths = [...new Set(endpointsUnderTest.map((spec) => spec.path))];

  it.each(paths)('%s lists its methods without a token', async (path) => {
    const url = pathOf({ path } as EndpointSpec);
    const takes = taken.get(url) ?? [];
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !takes.includes(one))) {
      const answer = await send(method, url);
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...takes].sort());
    }
  });

  it.each(['/v1', '/v1/', '/v1/nothing', '/v1/products/1/nothing', '/admin/v1/nothing', '/V1/products'])(
    '%s is 404 without a token',
    async (path) => expectProblem(await send('GET', path), 404, 'not_found'),
  );
});
