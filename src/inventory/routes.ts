import { ok } from '../kernel/core/result.ts';
import { type Endpoint, endpoint, MAX_CATALOG_BODY_BYTES } from '../kernel/http/endpoint.ts';
import { setHeaders } from '../kernel/http/response.ts';
import { adjustmentsExample } from './examples.ts';
import { Adjusted, AdjustmentsCreate } from './schemas.ts';
import { adjust } from './writer/write-stock.ts';

const adjustments = endpoint(
  {
    method: 'post',
    path: '/v1/inventory/adjustments',
    id: 'adjustInventory',
    tag: 'Inventory',
    summary: 'Adjust stock',
    description:
      'Changes each item by `delta`, or sets its available quantity to `stock`. All items change or none does. Emits `stock.changed`; calls that arrive together may share one event of an item, from the stock before them to that after. The catalogue shows new numbers within 10 seconds; what sells out or comes back, as any other write. Stock must not exceed 1,000,000,000.',
    access: 'inventory:write',
    body: AdjustmentsCreate,
    maxBytes: MAX_CATALOG_BODY_BYTES,
    answer: Adjusted,
    errors: ['insufficient_stock'],
    example: adjustmentsExample,
  },
  async (call) => {
    const { c, body, once } = call;
    const adjusted = await adjust(call, body, once);
    if (!adjusted.ok) return adjusted;
    const { items, version } = adjusted.value;
    setHeaders(c, { 'X-Catalog-Version': String(version) });
    const data = items.map(({ id, product_id, sku, stock }) => ({
      sku,
      product_id,
      variant_id: id === product_id ? null : id,
      stock,
    }));
    return ok({ data });
  },
);

/** Stock adjustments. */
export const inventoryEndpoints: readonly Endpoint[] = [adjustments];
