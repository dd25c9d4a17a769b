import type { z } from '@hono/zod-openapi';
import type { Example } from '../kernel/openapi/example.ts';
import type { Adjusted, AdjustmentsCreate, StockChanged } from './schemas.ts';

/** The example shop's event of a sale. */
export const espressoSold = (): z.output<typeof StockChanged> => ({
  product_id: 1,
  variant_id: null,
  sku: 'ESP-250',
  old_stock: 192,
  new_stock: 189,
  reason: 'checkout',
});

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
