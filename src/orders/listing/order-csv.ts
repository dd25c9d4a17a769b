import { type Cell, csvFile } from '../../kernel/http/csv.ts';
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

/** Returns the tax by rate, each with the net amount that it is of: "20% of 16.67: 3.33; 10% of 5: 0.5". */
const taxByRate = ({ tax_lines }: Order): string =>
  tax_lines.map(({ rate_percent, net, tax }) => `${rate_percent}% of ${net}: ${tax}`).join('; ');

/** The file of a list of orders. */
export const orderCsv = csvFile<Order>('orders.csv', [
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
    ['paid_at', 'refunded', 'refunded_tax', 'tax_by_rate', 'cancelled_at', 'updated_at'],
    (order) => [
      order.paid_at,
      refundedOf(order, 'amount'),
      refundedOf(order, 'tax'),
      taxByRate(order),
      order.cancelled_at,
      order.updated_at,
    ],
  ],
]);
