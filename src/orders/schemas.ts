import { z } from '@hono/zod-openapi';
import { ChangesMeta, cursorInstant, listPages, PageMeta } from '../kernel/core/pagination.ts';
import { COMMA_LIST } from '../kernel/openapi/comma-list.ts';
import { EmailAddress } from '../kernel/text/email.ts';
import { line, rawText, storedLine } from '../kernel/text/text.ts';
import { instantMs } from '../kernel/values/instant.ts';
import { MetadataInput, ShownMetadata } from '../kernel/values/metadata.ts';
import { PostalAddress } from '../kernel/values/postal-address.ts';
import { ShownPromotion, TaxLine, Totals } from '../pricing/index.ts';
import { Fulfilment } from './fulfilments/schemas.ts';
import { OrderItem } from './item-schemas.ts';
import { OrderDispute, Refund } from './refunds/schemas.ts';
import {
  CANCEL_REASONS,
  FULFILMENT_STATUSES,
  ORDER_STATUSES,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from './tables.ts';

const text = z.string();

/** An order as the API and `order.*` events show it. */
export const Order = z
  .object({
    id: text.openapi({ example: 'ord_5Wd0XjvKq2TzNhLr8ePaYc1M' }),
    number: z.int().openapi({ description: 'Sequential for each tenant, from 1001, without gaps.' }),
    status: z.enum(ORDER_STATUSES),
    payment_status: z.enum(PAYMENT_STATUSES).openapi({
      description: 'A cancelled order counts what is in `refund_due`, a paid one does not.',
    }),
    fulfilment_status: z.enum(FULFILMENT_STATUSES).openapi({
      description:
        'How much of the goods is in fulfilments. An order without goods to ship is `fulfilled` once it is paid.',
    }),
    test: z
      .boolean()
      .openapi({ description: 'Whether the payment is a test: the sandbox, or a Stripe test key.' }),
    items: z.array(OrderItem),
    totals: Totals,
    tax_lines: z.array(TaxLine).openapi({
      description:
        'The tax by rate, for invoices: the highest first, 0 included. `net` and `tax` add up to `totals.grand_total`, `tax` to `totals.tax`. Empty in orders from before rates were kept.',
    }),
    shipping_tax_rate_percent: z.number().nullable().openapi({
      description:
        'The rate of the tax on `totals.shipping`; 0 where shipping is not taxed. Null in orders from before it was kept.',
    }),
    currency: text,
    coupon: text.nullable().openapi({ description: 'The first code of `applied_promotions`.' }),
    applied_promotions: z.array(ShownPromotion),
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
    billing_address: PostalAddress.nullable().openapi({ description: 'Null if it is the shipping address.' }),
    note: text.nullable().openapi({ description: "The shopper's message to the shop, entered at checkout." }),
    fulfilments: z.array(Fulfilment).openapi({
      description:
        'Oldest first, cancelled ones included. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only.',
    }),
    tags: z.array(text),
    archived_at: z.iso.datetime().nullable().openapi({
      description:
        'When the shop archived the order; null while it is open. It only orders lists, and changes nothing else.',
    }),
    metadata: ShownMetadata,
    refunds: z.array(Refund).openapi({
      description:
        'Oldest first. Events of an order of more than 1.9 MB, without its `downloads`, have the latest ten only.',
    }),
    refund_due: z.number().openapi({
      description:
        'Money that arrived, which the order cannot use and which has not gone back yet, such as a second payment. The payment provider is asked for its return; in your own checkout pay it back, and report `refunded` with its `reference`.',
    }),
    dispute: OrderDispute.nullable().openapi({ description: "The payment's latest dispute." }),
    agent: z.object({ profile: z.string() }).nullable().openapi({
      description:
        "The shopping agent that filled the cart, by the URI of its profile; null for a shopper's own order.",
    }),
    cancel_reason: z.enum(CANCEL_REASONS).nullable(),
    paid_at: z.iso.datetime().nullable().openapi({
      description: 'When it was paid; null if it was not. `GET /v1/insights` counts its sale at this time.',
    }),
    cancelled_at: z.iso.datetime().nullable().openapi({
      description: 'When it was cancelled; null while its `status` is another one.',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Order');
export type Order = z.infer<typeof Order>;

/** The data of `order.fulfilled`: the order, and the fulfilment that was created. */
export const OrderFulfilled = Order.extend({ fulfilment: Fulfilment }).openapi('OrderFulfilled');
export type OrderFulfilled = z.infer<typeof OrderFulfilled>;

/** The data of `order.tracking_changed`: the order, and the fulfilment whose tracking was set, changed or removed. */
export const OrderTrackingChanged = Order.extend({ fulfilment: Fulfilment }).openapi('OrderTrackingChanged');
export type OrderTrackingChanged = z.infer<typeof OrderTrackingChanged>;

/** The payload of `order.refunded`: the order, and the refund that succeeded. */
export const OrderRefunded = Order.extend({ refund: Refund }).openapi('OrderRefunded');

/** A page of orders. */
export const OrderList = z
  .object({
    data: z.array(Order),
    meta: ChangesMeta,
  })
  .openapi('OrderList');

const CustomerRefund = Refund.omit({ reason: true, failure_reason: true }).openapi('CustomerRefund');

/** An order as its customer sees it. */
export const CustomerOrder = Order.omit({ metadata: true, tags: true, archived_at: true })
  .extend({ refunds: z.array(CustomerRefund).openapi({ description: 'Oldest first.' }) })
  .openapi('CustomerOrder');
export type CustomerOrder = z.infer<typeof CustomerOrder>;
/** A page of a customer's own orders. */
export const CustomerOrderList = z
  .object({ data: z.array(CustomerOrder), meta: PageMeta })
  .openapi('CustomerOrderList');

/** The most tags of an order, and their largest length in characters. */
export const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 64;
/** A tag that a request sets. */
export const OrderTag = line(MAX_TAG_LENGTH);
/** A tag that orders are looked for by, or that is taken from them. */
export const KnownTag = storedLine(MAX_TAG_LENGTH);

/** Changes to an order. */
export const OrderPatch = z
  .strictObject({
    metadata: MetadataInput,
    tags: z
      .array(OrderTag)
      .max(MAX_TAGS)
      .transform((tags) => [...new Set(tags)])
      .openapi({ description: 'Replaces the tags; the same tag counts once.' }),
    archived: z.boolean().openapi({ description: 'Archives the order, or opens it again.' }),
  })
  .partial()
  .openapi('OrderPatch');
export type OrderPatch = z.infer<typeof OrderPatch>;

const digits = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a positive whole number')
  .transform(Number)
  .openapi({ type: 'integer', minimum: 1 });

/** Sort orders of the order list. */
export const ORDER_SORTS = ['newest', 'oldest', 'total_desc', 'total_asc', 'updated'] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

/** The place of an order in a list: the value that the list is sorted by, and the order's number. */
const OrderKey = z.union([
  z.tuple([z.int(), z.int()]),
  z.tuple([z.int(), z.int(), z.enum(ORDER_SORTS).exclude(['newest', 'updated'])]),
  z.tuple([cursorInstant, z.int(), z.literal('updated')]),
]);
export type OrderKey = z.infer<typeof OrderKey>;

/** Pages and cursors of lists of orders. A cursor of another sort than `newest` names it. */
export const orderPages = listPages('orders', OrderKey);

/** Alternatives of `payment_status`, separated by commas. A repeated one counts once: D1 binds at most 100 values. */
const PaymentStatusList = z
  .string()
  .transform((list, context): PaymentStatus[] => {
    const statuses = z.array(z.enum(PAYMENT_STATUSES)).safeParse([...new Set(list.split(','))]);
    if (statuses.success) return statuses.data;
    const message = `must be a comma-separated list of ${PAYMENT_STATUSES.join(', ')}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .openapi({
    ...COMMA_LIST,
    type: 'string',
    pattern: `^(${PAYMENT_STATUSES.join('|')})(,(${PAYMENT_STATUSES.join('|')}))*$`,
    description: 'One or several of the statuses, separated by commas.',
    example: 'paid,partially_refunded',
  });

/** The filters of the order list. */
export const OrderListQuery = z.object({
  ...orderPages.query,
  status: z.enum(ORDER_STATUSES).optional(),
  q: rawText(255, { least: 1 }).optional().openapi({
    description:
      "Finds orders by number, e-mail address, customer's name and SKU, without case and accents; each word may be the beginning of one. Where every word occurs in over 1,000 orders, the latest 2,000 orders are searched.",
  }),
  payment_status: PaymentStatusList.optional(),
  fulfilment_status: z.enum(FULFILMENT_STATUSES).optional(),
  from: instantMs.optional().openapi({ description: 'Placed at or after this time.' }),
  to: instantMs.optional().openapi({ description: 'Placed before this time.' }),
  created_from: instantMs
    .optional()
    .openapi({ param: { deprecated: true }, description: 'The former name of `from`.' }),
  created_to: instantMs
    .optional()
    .openapi({ param: { deprecated: true }, description: 'The former name of `to`.' }),
  updated_since: instantMs.optional().openapi({
    example: '2026-11-26T15:40:09.215Z',
    description:
      'Only orders placed or changed after this time, the latest change last. Follow `meta.next_cursor` to the last page, and go on from its `meta.next_updated_since` (of CSV files, from `updated_at` of the last row): no change is missed.',
  }),
  customer_id: digits.optional(),
  email: EmailAddress.optional(),
  number: digits.optional(),
  promotion_id: digits.optional().openapi({
    description: 'Orders that redeemed this promotion; cancelled ones no longer do.',
  }),
  archived: z
    .enum(['true', 'false'])
    .transform((archived) => archived === 'true')
    .optional()
    .openapi({ type: 'boolean', description: 'Only archived orders, or only open ones.' }),
  tag: KnownTag.optional().openapi({ description: 'Orders with exactly this tag.' }),
  sort: z.enum(ORDER_SORTS).optional().openapi({
    description:
      '`newest` by default; with `updated_since` it is `updated`, the latest change last. `total_desc` and `total_asc` compare `grand_total` in minor units, whatever its currency.',
  }),
});
export type OrderListQuery = z.infer<typeof OrderListQuery>;

/** The path parameter of an order. */
export const OrderParams = z.object({ id: rawText(64, { least: 1 }) });
