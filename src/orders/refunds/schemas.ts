import { z } from '@hono/zod-openapi';
import { MAX_LINE_QUANTITY, MAX_LINES } from '../../kernel/core/limits.ts';
import { text } from '../../kernel/text/text.ts';
import { DISPUTE_STATUSES } from '../provider-reports/disputes.ts';
import { REFUND_SOURCES, REFUND_STATUSES } from './tables.ts';

const MAX_LINE_ID = 1_000_000;

/** The body of a refund. Without `items`, `shipping` and `amount` it is everything that is left. */
export const RefundCreate = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          line_id: z
            .int()
            .min(1)
            .max(MAX_LINE_ID)
            .openapi({ description: "The `id` of one of the order's `items`." }),
          quantity: z.int().min(1).max(MAX_LINE_QUANTITY),
          restock: z.boolean().default(false).openapi({
            description:
              'Whether the units go back to stock, at once and even if the refund fails. Units of a failed refund that did not go back are sold again.',
          }),
          shipped: z.boolean().default(false).openapi({
            description:
              'Whether the units had been shipped, such as a return: what is left to ship stays as it is. Without it, units that are still to be shipped are taken first.',
          }),
        }),
      )
      .min(1)
      .max(MAX_LINES)
      .optional()
      .openapi({
        description:
          'Units to refund at what was paid for them: the line after its discount, with its tax. Refunds of all units add up to exactly that.',
      }),
    shipping: z
      .boolean()
      .optional()
      .openapi({ description: 'Whether to refund what is left of shipping, with its tax.' }),
    amount: z
      .number()
      .positive()
      .optional()
      .openapi({ description: 'A further amount, such as goodwill.', example: 5 }),
    reason: text(500)
      .optional()
      .openapi({ description: 'For the shop itself; the customer does not see it.' }),
  })
  .openapi('RefundCreate');
export type RefundCreate = z.output<typeof RefundCreate>;

/** A refund as the API and `order.refunded` show it. */
export const Refund = z
  .object({
    id: z.string().openapi({ example: 'ref_9Qm2XcVb7LkTzR4sWyHd0PnA' }),
    status: z.enum(REFUND_STATUSES).openapi({
      description:
        '`pending` until the payment provider has completed it; it is retried until then. `failed`: the provider refused it, or the money came back.',
    }),
    amount: z.number(),
    currency: z.string(),
    reason: z.string().nullable(),
    items: z.array(
      z.object({
        line_id: z.int(),
        quantity: z.int(),
        restock: z.boolean(),
        shipped: z.boolean(),
        amount: z.number(),
      }),
    ),
    shipping: z.number().openapi({ description: 'The part of `amount` that is shipping, with its tax.' }),
    tax: z.number().openapi({
      description:
        "The part of `amount` that is tax. Units have that of their line, shipping its own, and other amounts that of all that is left, in proportion. Together it is the order's tax once everything is refunded; a refund that fails later no longer counts, which may move cents between the others.",
    }),
    source: z.enum(REFUND_SOURCES).openapi({
      description:
        '`request`: this API or the panel. `cancellation`: the order was cancelled. `provider`: made at the payment provider, or reported by your own checkout. `dispute`: a dispute was lost.',
    }),
    failure_reason: z.string().nullable().openapi({
      description: "The provider's code, such as `expired_or_canceled_card`; null unless it failed.",
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Refund');
export type Refund = z.output<typeof Refund>;

/** The refunds of an order, oldest first. */
export const RefundList = z.object({ data: z.array(Refund) }).openapi('RefundList');

/** The latest dispute of an order's payment. */
export const OrderDispute = z
  .object({
    status: z.enum(DISPUTE_STATUSES).openapi({
      description: '`open` until it is decided; `lost` counts as refunded.',
    }),
    reason: z.string().openapi({ example: 'product_not_received' }),
    amount: z.number(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('OrderDispute');
