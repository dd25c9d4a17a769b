import type { Samples } from '../support/contract/sample.ts';

const slug = () => `t${crypto.randomUUID().slice(0, 18)}`;

export const samples: Samples = {
  'POST /admin/v1/tenants': { body: () => ({ slug: slug(), name: 'Acme', currency: 'EUR' }) },
  'GET /admin/v1/tenants': {},
  'GET /admin/v1/tenants/{slug}': { params: async (shop) => ({ slug: shop.slug }) },
  'PATCH /admin/v1/tenants/{slug}': {
    params: async (shop) => ({ slug: shop.slug }),
    body: { name: 'New name' },
  },
  'GET /v1/settings': {},
  'PATCH /v1/settings': { body: { shipping: { flat: 4.9 } } },
};
