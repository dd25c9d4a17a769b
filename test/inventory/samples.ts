import type { Samples } from '../support/contract/sample.ts';

export const samples: Samples = {
  'GET /v1/inventory/low-stock': { query: '?threshold=3' },
  'POST /v1/inventory/adjustments': {
    body: async (shop) => {
      const sku = crypto.randomUUID();
      await shop.post('/products', { name: `Shirt ${sku}`, sku, type: 'simple', price: 1, stock: 5 });
      return { items: [{ sku, delta: 1 }] };
    },
  },
};
