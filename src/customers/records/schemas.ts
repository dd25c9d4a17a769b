import { z } from '@hono/zod-openapi';
import { CartAnswer } from '../../cart/index.ts';
import { ChangesMeta, cursorInstant, idList, listPages } from '../../kernel/core/pagination.ts';
import { groupDigits, rawText, storedText } from '../../kernel/text/text.ts';
import { instantMs } from '../../kernel/values/instant.ts';
import { Order, OrderTimeline } from '../../orders/index.ts';
import { AddressParams, CustomerAddress } from '../addresses/schemas.ts';
import { CustomerParams, CustomerRecord } from '../schemas.ts';
import { MAX_CANDIDATES } from './search-customers.ts';

const instant = z.iso.datetime();

/** Sort orders of the list. */
export const CUSTOMER_SORTS = ['newest', 'oldest', 'updated'] as const;
export type CustomerSort = (typeof CUSTOMER_SORTS)[number];

/** The place of a customer in the list: their id, with the sort unless it is `newest`, and when they changed last. */
const CustomerKey = z.union([
  z.int(),
  z.tuple([z.int(), z.literal('oldest')]),
  z.tuple([z.int(), z.literal('updated'), cursorInstant]),
]);
export type CustomerKey = z.infer<typeof CustomerKey>;

/** Pages and cursors of the list. */
export const customerPages = listPages('customers', CustomerKey);

/** The query parameters of the list. */
export const CustomerListQuery = z.object({
  ...customerPages.query,
  sort: z.enum(CUSTOMER_SORTS).optional().openapi({
    description:
      'By registration, `newest` by default; with `updated_since` it is `updated`, the latest change last.',
  }),
  updated_since: instantMs.optional().openapi({
    example: '2026-11-26T15:40:09.215Z',
    description:
      'Only customers who registered or changed, or whose addresses did, after this time, the latest change last. Follow `meta.next_cursor` to the last page, and go on from its `meta.next_updated_since` (of CSV files, from `updated_at` of the last row): no change is missed. Erased customers are not listed: `ids` finds which of a copy are still there.',
  }),
  ids: idList('Only these customers; those that are not there are left out.').optional(),
  q: storedText(254)
    .optional()
    .openapi({
      description: `Words of name and e-mail, or an e-mail. Each matches from its beginning, without case and accents; all must match. Where each word matches more than ${groupDigits(MAX_CANDIDATES)} times, only the newest customers are found.`,
    }),
});

export type CustomerListQuery = z.infer<typeof CustomerListQuery>;

/** A page of customers. */
export const CustomerList = z
  .object({
    data: z.array(CustomerRecord),
    meta: ChangesMeta,
  })
  .openapi('CustomerList');

/** The path parameters of one of a customer's addresses. */
export const AddressOfCustomerParams = CustomerParams.extend({ address_id: AddressParams.shape.id });

/** The last carts of a customer among which the list looks for open ones: each is an object of its own. */
export const MAX_SHOWN_CARTS = 10;

/** The path parameters of one of a customer's carts. */
export const CartOfCustomerParams = CustomerParams.extend({ cart_id: rawText(64, { least: 1 }) });

/** An open cart of a customer, as the tenant sees it. */
export const CartOfCustomer = CartAnswer.pick({
  items: true,
  total_quantity: true,
  totals: true,
  currency: true,
  coupons: true,
  applied_promotions: true,
})
  .extend({
    id: z.string().openapi({ description: 'Identifies the cart; it does not give access to it.' }),
    updated_at: instant.openapi({ description: 'The last change.' }),
  })
  .openapi('CartOfCustomer');
export type CartOfCustomer = z.infer<typeof CartOfCustomer>;

/** The open carts of a customer. */
export const CartOfCustomerList = z
  .object({ data: z.array(CartOfCustomer).max(MAX_SHOWN_CARTS) })
  .openapi('CartOfCustomerList');

/** The most entries of each list of an export. */
export const MAX_EXPORTED = 5_000;

/** Everything that is kept about a customer. */
export const CustomerExport = z
  .object({
    exported_at: instant,
    customer: CustomerRecord,
    addresses: z.array(CustomerAddress),
    sessions: z.array(z.object({ created_at: instant, expires_at: instant })).openapi({
      description: 'Open sessions. A session expires 30 days after its last use.',
    }),
    password_resets: z.array(z.object({ expires_at: instant })),
    carts: z
      .array(CartAnswer.extend({ updated_at: instant }))
      .openapi({ description: 'The carts that belong to the customer.' }),
    checkouts: z
      .array(
        z.object({
          order_id: z.string(),
          status: z.enum(['open', 'void', 'ordered']),
          buyer: z.record(z.string(), z.string()).openapi({ description: 'What was entered on the page.' }),
          created_at: instant,
          expires_at: instant,
        }),
      )
      .openapi({ description: 'Checkout sessions, newest first.' }),
    orders: z.array(Order).openapi({ description: 'Newest first.' }),
    timeline: z.array(OrderTimeline.shape.data.element.extend({ order_id: z.string() })).openapi({
      description: "What happened to the orders, newest first, with the shop's notes.",
    }),
    redemptions: z.array(z.object({ order_id: z.string(), promotion_id: z.int() })),
    events: z
      .array(
        z.object({
          id: z.string(),
          type: z.string(),
          occurred_at: instant,
          data: z.record(z.string(), z.unknown()),
        }),
      )
      .openapi({ description: 'Events of the last 30 days that name the customer, newest first.' }),
    incomplete: z.array(z.string()).openapi({
      description: `The lists that have more than ${groupDigits(MAX_EXPORTED)} entries and end there.`,
    }),
  })
  .openapi('CustomerExport');
export type CustomerExport = z.infer<typeof CustomerExport>;
