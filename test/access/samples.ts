import type { Samples } from '../support/sample.ts';
import type { World } from '../support/world.ts';

const application = async (shop: World) => ({ slug: shop.slug, id: (await shop.register()).id });

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
};
