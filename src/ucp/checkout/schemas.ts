import { z } from '@hono/zod-openapi';
import { rawText } from '../../kernel/text/text.ts';
import {
  Basket,
  BuyerInput,
  Consent,
  ContextInput,
  Destination,
  DiscountsInput,
  LineItemsInput,
  Total,
  words,
} from '../cart/schemas.ts';
import { platformData } from '../protocol/inputs.ts';

/** The most destinations, methods and groups of one request. */
const MAX_CHOICES = 10;

const DestinationInput = z.object({
  id: rawText(64).optional(),
  street_address: words(255),
  extended_address: words(255),
  address_locality: words(120),
  address_region: words(120),
  address_country: words(100),
  postal_code: words(20),
  first_name: words(60),
  last_name: words(60),
  phone_number: words(40),
});
export type DestinationInput = z.output<typeof DestinationInput>;

const choice = rawText(64).nullable().optional();

/** A choice of delivery. There is one method with one group, so the ids that name them are checked and not used. */
const MethodInput = z.object({
  id: z.string().optional(),
  line_item_ids: z.array(z.string()).optional(),
  type: z.enum(['shipping', 'pickup']).optional(),
  destinations: z.array(DestinationInput).max(MAX_CHOICES).optional(),
  selected_destination_id: choice,
  groups: z
    .array(z.object({ id: z.string().optional(), selected_option_id: choice }))
    .max(MAX_CHOICES)
    .optional(),
});
export type MethodInput = z.output<typeof MethodInput>;

const FulfillmentInput = z.object({ methods: z.array(MethodInput).max(MAX_CHOICES).optional() });

const Instrument = z.object({ id: z.string(), handler_id: z.string(), type: z.string() });

/**
 * A payment as an agent may send it. This business has no payment handlers: the buyer pays on the page, and whatever an
 * instrument holds, such as a credential, is dropped unread.
 */
const Payment = z.object({ instruments: z.array(Instrument).max(MAX_CHOICES).optional() }).optional();

/** The payload that replaces a checkout. */
export const CheckoutInput = z.object({
  line_items: LineItemsInput,
  buyer: BuyerInput.extend({ consent: Consent.optional() }).optional(),
  context: ContextInput.optional(),
  discounts: DiscountsInput.optional(),
  fulfillment: FulfillmentInput.optional(),
  payment: Payment,
  ...platformData,
});
export type CheckoutInput = z.output<typeof CheckoutInput>;

/** The payload of a new checkout: line items, or the cart whose contents it takes in place of them. */
export const CheckoutCreate = CheckoutInput.extend({
  line_items: LineItemsInput.optional(),
  cart_id: rawText(100).optional(),
}).refine(({ line_items, cart_id }) => line_items !== undefined || cart_id !== undefined, {
  path: ['line_items'],
  error: 'is required without cart_id',
});
export type CheckoutCreate = z.output<typeof CheckoutCreate>;

/** The payload that completes a checkout. It carries nothing that has an effect here. */
export const CheckoutComplete = z.object({ payment: Payment, ...platformData });

const Option = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  totals: z.array(Total),
});

/** How the goods get to the buyer: one method with one group, as there is one parcel and one address. */
export const Fulfillment = z.object({
  methods: z.array(
    z.object({
      id: z.string(),
      type: z.literal('shipping'),
      line_item_ids: z.array(z.string()),
      destinations: z.array(Destination).optional(),
      selected_destination_id: z.string().nullable(),
      groups: z.array(
        z.object({
          id: z.string(),
          line_item_ids: z.array(z.string()),
          options: z.array(Option),
          selected_option_id: z.string().nullable(),
        }),
      ),
    }),
  ),
});
export type Fulfillment = z.output<typeof Fulfillment>;

/** The states of a checkout that occur here. */
const CHECKOUT_STATUSES = [
  'incomplete',
  'requires_escalation',
  'ready_for_complete',
  'completed',
  'canceled',
] as const;
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

/** A checkout. */
export const Checkout = Basket.extend({
  status: z.enum(CHECKOUT_STATUSES),
  buyer: Basket.shape.buyer.unwrap().extend({ consent: Consent.optional() }).optional(),
  fulfillment: Fulfillment.optional(),
  order: z.object({ id: z.string(), label: z.string(), permalink_url: z.url() }).optional(),
});
export type Checkout = z.output<typeof Checkout>;
