import { ok } from '../../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { lowStockExample } from '../examples/low-stock.ts';
import { lowItems } from './read-low-stock.ts';
import { LowStock, LowStockQuery, lowStockCursor } from './schemas.ts';

const list = endpoint(
  {
    method: 'get',
    path: '/v1/inventory/low-stock',
    id: 'listLowStock',
    tag: 'Inventory',
    summary: 'List items that are low in stock',
    description:
      'Active products and variants whose counted stock is at most `threshold`, the least first. Stock that is derived, as of bundles and bookings, or not counted is left out.',
    access: 'inventory:write',
    query: LowStockQuery,
    answer: LowStock,
    example: lowStockExample,
  },
  async (call) => {
    const { threshold, limit, cursor } = call.query;
    const found = await lowItems(call, { threshold, limit: limit + 1, after: cursor });
    const shown = found.slice(0, limit);
    const data = shown.map(({ id, productId, sku, name, stock }) => ({
      product_id: productId,
      variant_id: id === productId ? null : id,
      sku,
      name,
      stock,
    }));
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    const next_cursor = last ? lowStockCursor.encode({ stock: last.stock, id: last.id }) : null;
    return ok({ data, meta: { next_cursor } });
  },
);

/** The endpoint of low stock. */
export const lowStockEndpoints: readonly Endpoint[] = [list];
