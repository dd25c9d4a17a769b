import { ERRORS } from '../../kernel/core/errors.ts';
import type { Example } from '../../kernel/openapi/example.ts';
import type { PricesUpdate, PricesUpdated } from '../bulk/price-schemas.ts';
import type { BulkRequest, BulkResult } from '../bulk/schemas.ts';

/** The example of a bulk change: two products become dearer by 5 percent, a third is gone. */
export const bulkExample = (): Example<{ body: typeof BulkRequest; answer: typeof BulkResult }> => ({
  body: {
    ids: [1, 2, 9],
    change: { price: { kind: 'percent', percent: 5 }, add_category_ids: [2] },
  },
  answer: {
    updated: 2,
    unchanged: 0,
    errors: [{ id: 9, code: 'product_not_found', message: ERRORS.product_not_found[1] }],
  },
});

/** The example of prices by SKU: a product's own, and a variant's with a sale. */
export const pricesExample = (): Example<{ body: typeof PricesUpdate; answer: typeof PricesUpdated }> => ({
  body: {
    items: [
      { sku: 'ESP-250', price: 9.4 },
      { sku: 'JERSEY-M', price: 79, regular_price: 89, sale: { price: 69, ends_at: '2026-12-24T23:00:00Z' } },
    ],
  },
  answer: {
    data: [
      { sku: 'ESP-250', product_id: 1, variant_id: null, price: 9.4 },
      { sku: 'JERSEY-M', product_id: 4, variant_id: 6, price: 79 },
    ],
  },
});
