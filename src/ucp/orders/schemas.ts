import { z } from '@hono/zod-openapi';
import { Address, Item, Total } from '../cart/schemas.ts';

const affected = (quantity: z.ZodType<number>) => z.array(z.object({ id: z.string(), quantity }));

const OrderLineItem = z.object({
  id: z.string(),
  item: Item,
  quantity: z.object({ original: z.int().min(0), total: z.int().min(0), fulfilled: z.int().min(0) }),
  totals: z.array(Total),
  status: z.enum(['processing', 'partial', 'fulfilled', 'removed']),
});
export type OrderLineItem = z.output<typeof OrderLineItem>;

const Expectation = z.object({
  id: z.string(),
  line_items: affected(z.int().min(1)),
  method_type: z.enum(['shipping', 'digital']),
  destination: Address,
  description: z.string().optional(),
  fulfillable_on: z.string().optional(),
});
export type Expectation = z.output<typeof Expectation>;

const FulfillmentEvent = z.object({
  id: z.string(),
  occurred_at: z.iso.datetime(),
  type: z.enum(['shipped', 'delivered', 'canceled']),
  line_items: affected(z.int().min(1)),
  tracking_number: z.string().optional(),
  tracking_url: z.url().optional(),
  carrier: z.string().optional(),
});
export type FulfillmentEvent = z.output<typeof FulfillmentEvent>;

const Adjustment = z.object({
  id: z.string(),
  type: z.enum(['refund', 'dispute', 'cancellation']),
  occurred_at: z.iso.datetime(),
  status: z.enum(['pending', 'completed', 'failed']),
  line_items: affected(z.int()).optional(),
  totals: z.array(Total).optional(),
});
export type Adjustment = z.output<typeof Adjustment>;

/** An order: what was bought, what was shipped, and what was paid back. */
export const Order = z.object({
  id: z.string(),
  label: z.string(),
  checkout_id: z.string(),
  permalink_url: z.url(),
  line_items: z.array(OrderLineItem),
  fulfillment: z.object({ expectations: z.array(Expectation), events: z.array(FulfillmentEvent) }),
  adjustments: z.array(Adjustment),
  currency: z.string(),
  totals: z.array(Total),
});
export type Order = z.output<typeof Order>;
