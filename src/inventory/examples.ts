import type { Example } from '../kernel/http/openapi-examples.ts';
import type { Adjusted, AdjustmentsCreate } from './schemas.ts';

/** Example of adjusting stock: a delivery of one SKU, and a count of another. */
export const adjustmentsExample = (): Example<{
  body: typeof AdjustmentsCreate;
  answer: typeof Adjusted;
}> => ({
  body: {
    items: [
      { sku: 'ESP-250', delta: 48, reason: 'Roasted on Monday' },
      { sku: 'JERSEY-M', stock: 20, reason: 'Stocktaking' },
    ],
  },
  answer: {
    data: [
      { sku: 'ESP-250', product_id: 1, variant_id: null, stock: 192 },
      { sku: 'JERSEY-M', product_id: 3, variant_id: 4, stock: 20 },
    ],
  },
});
