import type { Example } from '../../kernel/openapi/example.ts';
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
    errors: [{ id: 9, code: 'product_not_found', message: 'There is no product with this id.' }],
  },
});
