import { expect, vi } from 'vitest';
import type { Samples } from '../support/contract/sample.ts';
import type { World } from '../support/world.ts';

const application = async (shop: World) => ({ slug: shop.slug, id: (await shop.register()).id });

/** A call that the tenant's own token made, once it is in the log. */
async function loggedCall(shop: World) {
  const request_id = (await shop.get('/products')).headers.get('x-request-id') ?? '';
  await vi.waitFor(async () => expect((await shop.get(`/requests/${request_id}`)).status).toBe(200), {
    timeout: 30_000,
    interval: 50,
  });
  return { request_id };
}

export const samples: Samples = {
  'POST /admin/v1/tenants/{slug}/applications': {
    params: async (shop) => ({ slug: shop.slug }),
    body: { name: 'Storefront', kind: 'storefront' },
  },
  'GET /admin/v1/tenants/{slug}/applications': { params: async (shop) => ({ slug: shop.slug }) },
  'GET /admin/v1/tenants/{slug}/applications/{id}': {
    params: application,
    foreign: 'application_not_found',
  },
  'PATCH /admin/v1/tenants/{slug}/applications/{id}': {
    params: application,
    body: { name: 'New name' },
    foreign: 'application_not_found',
  },
  'POST /admin/v1/tenants/{slug}/applications/{id}/rotate': {
    params: application,
    foreign: 'application_not_found',
  },
  'GET /v1/requests': { query: '?status=2xx' },
  'GET /v1/requests/{request_id}': { params: loggedCall, foreign: 'not_found' },
};
