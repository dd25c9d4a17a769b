import type { Context } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import { type Cell, csvPage } from '../../kernel/http/csv.ts';
import { toMinor, toNumber } from '../../kernel/values/money.ts';
import type { PostalAddress } from '../../kernel/values/postal-address.ts';
import type { Order } from '../schemas.ts';

const ADDRESS_COLUMNS = [
  'first_name',
  'last_name',
  'company',
  'line1',
  'line2',
  'postal_code',
  'city',
  'region',
  'country',
  'phone',
] as const satisfies readonly (keyof PostalAddress)[];

const addressCells = (address: PostalAddress | null): Cell[] =>
  ADDRESS_COLUMNS.map((field) => address?.[field] ?? null);

/** Returns the sum of an order's refunds that were made, or of the tax in them. */
function refundedOf({ refunds, currency }: Order, part: 'amount' | 'tax'): number {
  const made = refunds.filter(({ status }) => status === 'succeeded');
  return toNumber(
    made.reduce((sum, refund) => sum + (toMinor(refund[part], currency) ?? 0), 0),
    currency,
  );
}

/** The columns of the file, and the cells of an order in them. */
const COLUMNS: readonly (readonly [names: readonly string[], cells: (order: Order) => readonly Cell[]])[] = [
  [['number', 'id', 'created_at'], ({ number, id, created_at }) => [number, id, created_at]],
  [
    ['status', 'payment_status', 'fulfilment_status', 'test'],
    ({ status, payment_status, fulfilment_status, test }) => [
      status,
      payment_status,
      fulfilment_status,
      test,
    ],
  ],
  [
    ['currency', 'subtotal', 'discount', 'shipping', 'tax', 'grand_total', 'coupon'],
    ({ currency, totals: { subtotal, discount, shipping, tax, grand_total }, coupon }) => [
      currency,
      subtotal,
      discount,
      shipping,
      tax,
      grand_total,
      coupon,
    ],
  ],
  [
    ['customer_id', 'name', 'email', 'phone'],
    ({ customer: { id, name, email, phone } }) => [id, name, email, phone],
  ],
  [ADDRESS_COLUMNS.map((field) => `shipping_${field}`), ({ addresses }) => addressCells(addresses.shipping)],
  [ADDRESS_COLUMNS.map((field) => `billing_${field}`), (order) => addressCells(order.billing_address)],
  [
    ['items', 'tracking_numbers', 'note', 'tags', 'archived_at'],
    ({ items, fulfilments, note, tags, archived_at }) => [
      items.map(({ quantity, sku }) => `${quantity} × ${sku}`).join('; '),
      fulfilments
        .flatMap(({ status, tracking }) => (status === 'cancelled' ? [] : (tracking?.number ?? [])))
        .join('; '),
      note,
      tags.join('; '),
      archived_at,
    ],
  ],
  [
    ['paid_at', 'refunded', 'refunded_tax', 'updated_at'],
    (order) => [order.paid_at, refundedOf(order, 'amount'), refundedOf(order, 'tax'), order.updated_at],
  ],
];

/** The names of the columns. */
export const CSV_COLUMNS: readonly string[] = COLUMNS.flatMap(([names]) => names);

/** Responds with a page of orders as CSV, and the address of the next page in `Link` (RFC 8288). */
export function csvResponse(c: Context<App>, orders: readonly Order[], nextCursor: string | null): Response {
  return csvPage(c, {
    filename: 'orders.csv',
    columns: CSV_COLUMNS,
    rows: orders.map((order) => COLUMNS.flatMap(([, cells]) => cells(order))),
    next: nextCursor === null ? null : ['cursor', nextCursor],
  });
}
