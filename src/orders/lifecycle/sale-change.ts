import { type SaleChange, saleStatements } from '../../insights/index.ts';
import { countSale } from '../../inventory/index.ts';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { refundsOfOrder } from '../refunds/refundable.ts';
import { unitsNamed } from '../refunds/store.ts';
import type { StoredOrder } from '../store.ts';

type Sale = Omit<SaleChange, 'paidAt' | 'currency'>;

const NO_SALE: Sale = { orders: 0, sales: 0, items: [] };

/**
 * Returns what an order adds to the sales of the hour in which it was paid: its total less what was refunded, and
 * the units that are still sold. The return of a payment that it couldn't use is none of it.
 */
function saleOf({ row, lines, refunds }: StoredOrder): Sale {
  if (row.paidAt === null) return NO_SALE;
  const refunded = refundsOfOrder(refunds).filter(({ status }) => status === 'succeeded');
  const isOver = row.status === 'cancelled';
  return {
    orders: isOver || row.paymentStatus === 'refunded' ? 0 : 1,
    sales: row.grandTotal - refunded.reduce((sum, { amount }) => sum + amount, 0),
    items: lines.map(({ id, sku, productId, name, quantity }) => ({
      sku,
      productId,
      name,
      units: isOver ? 0 : quantity - unitsNamed(refunded, id),
    })),
  };
}

/** Returns the statements that count what a change of an order adds to its sale, or takes from it. */
export function saleChange(ctx: TenantDatabase, before: StoredOrder, after: StoredOrder): Statement[] {
  const { paidAt, currency } = after.row;
  if (paidAt === null) return [];
  const [was, is] = [saleOf(before), saleOf(after)];
  // Lines never change: they are at the same place, or there was no sale yet.
  const items = is.items.map((item, n) => ({ ...item, units: item.units - (was.items[n]?.units ?? 0) }));
  const change = { paidAt, currency, items, orders: is.orders - was.orders, sales: is.sales - was.sales };
  return [...saleStatements(ctx, change), ...countSale(ctx, change)];
}
