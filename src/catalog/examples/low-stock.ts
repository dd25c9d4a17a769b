import type { Example } from '../../kernel/openapi/example.ts';
import type { LowStock, LowStockQuery } from '../low-stock/schemas.ts';

/** An example of the list of what is about to run out. */
export const lowStockExample = (): Example<{ query: typeof LowStockQuery; answer: typeof LowStock }> => ({
  query: { threshold: 3, limit: 10 },
  answer: {
    data: [
      { product_id: 7, variant_id: null, sku: 'ESP-250', name: 'Espresso Forte', stock: 0 },
      { product_id: 12, variant_id: 31, sku: 'TEE-S', name: 'Team shirt', stock: 2 },
    ],
    meta: { next_cursor: null },
  },
});
