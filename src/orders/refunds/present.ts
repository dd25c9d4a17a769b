import type { z } from '@hono/zod-openapi';
import { iso } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/values/money.ts';
import type { OrderRow } from '../tables.ts';
import { refundsOfOrder } from './refundable.ts';
import type { OrderDispute, Refund } from './schemas.ts';
import type { RefundRow } from './tables.ts';

/** Returns a refund as the API shows it. */
export function presentRefund(row: RefundRow): Refund {
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
    // Rows with the source `surplus` are not presented.
    source: row.source === 'surplus' ? 'cancellation' : row.source,
    failure_reason: row.status === 'failed' ? row.failureReason : null,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  };
}

/** Returns an order's refunds, without those of payments that it couldn't use. */
export const presentRefunds = (rows: readonly RefundRow[]): Refund[] =>
  refundsOfOrder(rows).map(presentRefund);

/** Returns the latest dispute of an order's payment, or null. */
export function presentDispute({ dispute, currency }: OrderRow): z.output<typeof OrderDispute> | null {
  if (!dispute) return null;
  const { status, reason, amount, openedAt, updatedAt } = dispute;
  const money = toNumber(amount, currency);
  return { status, reason, amount: money, created_at: iso(openedAt), updated_at: iso(updatedAt) };
}
