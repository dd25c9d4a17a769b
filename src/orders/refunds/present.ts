import type { z } from '@hono/zod-openapi';
import { iso } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/values/money.ts';
import type { StoredOrder } from '../store.ts';
import type { OrderRow } from '../tables.ts';
import { refundsOfOrder } from './refundable.ts';
import { taxOfRefunds } from './refunded-tax.ts';
import type { OrderDispute, Refund } from './schemas.ts';
import type { RefundRow } from './tables.ts';

/** Returns a refund of an order as the API shows it. */
export const presentRefund = (order: StoredOrder, row: RefundRow): Refund =>
  presentWith(row, taxOfRefunds(order).get(row.id) ?? 0);

/** Returns a refund with the tax in it (minor units). */
function presentWith(row: RefundRow, tax: number): Refund {
  const money = (minor: number) => toNumber(minor, row.currency);
  return {
    id: row.id,
    status: row.status,
    amount: money(row.amount),
    currency: row.currency,
    reason: row.reason,
    items: row.items.map(({ lineId, quantity, restock, shipped = false, amount }) => ({
      line_id: lineId,
      quantity,
      restock,
      shipped,
      amount: money(amount),
    })),
    shipping: money(row.shipping),
    tax: money(tax),
    // Rows with the source `surplus` are not presented.
    source: row.source === 'surplus' ? 'cancellation' : row.source,
    failure_reason: row.status === 'failed' ? row.failureReason : null,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}

/** Returns an order's refunds, without those of payments that it couldn't use. */
export function presentRefunds(order: StoredOrder): Refund[] {
  const taxes = taxOfRefunds(order);
  return refundsOfOrder(order.refunds).map((row) => presentWith(row, taxes.get(row.id) ?? 0));
}

/** Returns the latest dispute of an order's payment, or null. */
export function presentDispute({ dispute, currency }: OrderRow): z.output<typeof OrderDispute> | null {
  if (!dispute) return null;
  const { status, reason, amount, openedAt, updatedAt } = dispute;
  const money = toNumber(amount, currency);
  return { status, reason, amount: money, created_at: iso(openedAt), updated_at: iso(updatedAt) };
}
