import { z } from '@hono/zod-openapi';
import { MetadataInput, ShownMetadata } from '../kernel/core/metadata.ts';
import { listPages, PageMeta } from '../kernel/core/pagination.ts';
import { PostalAddress } from '../kernel/core/postal-address.ts';
import { rawText } from '../kernel/text/text.ts';
import { LineItem, Totals } from '../pricing/index.ts';
import { CANCEL_REASONS, ORDER_STATUSES, PAYMENT_STATUSES } from './tables.ts';

const text = z.string();

const Download = z
  .object({ id: z.int(), title: text, url: z.url() })
  .openapi('Download', { description: 'A purchased file; `url` is signed and valid for 7 days.' });

const OrderItem = LineItem.extend({
  discount: z.number(),
  tax: z.number(),
  downloads: z.array(Download).optional(),
}).openapi('OrderItem');

/** An order as the API and `order.*` events show it. */
export const Order = z
  .object({
    id: text.openapi({ example: 'ord_5Wd0XjvKq2TzNhLr8ePaYc1M' }),
    number: z.int().openapi({ description: 'Sequential for each tenant, from 1001, without gaps.' }),
    status: z.enum(ORDER_STATUSES),
    payment_status: z.enum(PAYMENT_STATUSES),
    test: z
      .boolean()
      .openapi({ description: 'Whether the payment is a test: the sandbox, or a Stripe test key.' }),
    items: z.array(OrderItem),
    totals: Totals,
    currency: text,
    coupon: text.nullable(),
    shipping_method: z.object({ id: text, name: text }).nullable().openapi({
      description:
        'As it was when the order was placed. Null if nothing is shipped. Its price is `totals.shipping`.',
    }),
    customer: z.object({
      id: z.int().nullable(),
      name: text.nullable(),
      email: text.nullable(),
      phone: text.nullable(),
    }),
    addresses: z.object({ shipping: PostalAddress.nullable() }),
    metadata: ShownMetadata,
    cancel_reason: z.enum(CANCEL_REASONS).nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Order');
export type Order = z.infer<typeof Order>;

export const OrderList = z.object({ data: z.array(Order), meta: PageMeta }).openapi('OrderList');

/** An order as its customer sees it. */
const CustomerOrder = Order.omit({ metadata: true }).openapi('CustomerOrder');
export const CustomerOrderList = z
  .object({ data: z.array(CustomerOrder), meta: PageMeta })
  .openapi('CustomerOrderList');

/** Changes to an order. */
export const OrderPatch = z.strictObject({ metadata: MetadataInput }).partial().openapi('OrderPatch');
export type OrderPatch = z.infer<typeof OrderPatch>;

const instant = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value));
const when = instant.openapi({ type: 'string', format: 'date-time' });
const digits = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a positive whole number')
  .transform(Number)
  .openapi({ type: 'integer', minimum: 1 });

/** Pages and cursors of lists of orders: newest first, by time and number. */
export const orderPages = listPages('orders', z.tuple([z.int(), z.int()]));

/** The filters of the order list. */
export const OrderListQuery = z.object({
  ...orderPages.query,
  status: z.enum(ORDER_STATUSES).optional(),
  payment_status: z.enum(PAYMENT_STATUSES).optional(),
  created_from: when.optional().openapi({ description: 'Placed at or after this time.' }),
  created_to: when.optional().openapi({ description: 'Placed before this time.' }),
  customer_id: digits.optional(),
  email: z.email().max(254).optional(),
  number: digits.optional(),
});
export type OrderListQuery = z.infer<typeof OrderListQuery>;

export const OrderParams = z.object({ id: rawText(64, { least: 1 }) });
