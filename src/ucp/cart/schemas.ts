import { z } from '@hono/zod-openapi';
import { closesDirections, isOneLine, looksEmpty, rawText } from '../../kernel/text/text.ts';
import { Claims, platformData } from '../protocol/inputs.ts';
import { Message } from '../protocol/messages.ts';

/** The most line items of one request: each can be a variant or a product, and 100 ids are read at once. */
const MAX_LINE_ITEMS = 50;
/** The most discount codes of one request. */
const MAX_CODES = 10;

/** A text of at most `most` characters on one line, in NFC and trimmed; undefined if nothing of it shows. */
export const words = (most: number) =>
  rawText(most)
    .transform((given) => given.normalize('NFC').trim())
    .refine(isOneLine, 'must not contain control characters')
    .refine(closesDirections, 'must close its controls of text direction')
    .transform((given) => (looksEmpty(given) ? undefined : given))
    .optional();

const LineItemInput = z.object({
  id: z.string().optional(),
  parent_id: z.string().optional(),
  item: z.object({ id: rawText(255, { least: 1 }) }),
  quantity: z.int().min(1),
});
export type LineItemInput = z.output<typeof LineItemInput>;

/** The line items of a request. Ids of lines are ours: they are checked, and not needed to find them again. */
export const LineItemsInput = z.array(LineItemInput).max(MAX_LINE_ITEMS);

/** The buyer of a request. */
export const BuyerInput = z.object({
  first_name: words(60),
  last_name: words(60),
  email: words(254),
  phone_number: words(40),
});
export type BuyerInput = z.output<typeof BuyerInput>;

/** What a request says about the buyer's market. Intent and language are checked, and have no effect here. */
export const ContextInput = z.object({
  address_country: words(100),
  address_region: words(120),
  postal_code: words(20),
  currency: words(16),
  intent: z.string().optional(),
  language: z.string().optional(),
  eligibility: Claims,
});
export type ContextInput = z.output<typeof ContextInput>;

/** The discount codes of a request. */
export const DiscountsInput = z.object({ codes: z.array(rawText(255)).max(MAX_CODES).optional() });

/** The payload of a cart: it replaces the cart. */
export const CartInput = z.object({
  line_items: LineItemsInput,
  buyer: BuyerInput.optional(),
  context: ContextInput.optional(),
  discounts: DiscountsInput.optional(),
  ...platformData,
});
export type CartInput = z.output<typeof CartInput>;

const amount = z.int().min(0);

/** An entry of totals. Discounts are negative; `lines` sum to their entry. */
export const Total = z.object({
  type: z.enum(['subtotal', 'items_discount', 'discount', 'fulfillment', 'tax', 'total']),
  display_text: z.string().optional(),
  amount: z.int(),
  lines: z.array(z.object({ display_text: z.string(), amount: z.int() })).optional(),
});
export type Total = z.output<typeof Total>;

/** What is sold under an id of the catalogue. */
export const Item = z.object({
  id: z.string(),
  title: z.string(),
  price: amount,
  image_url: z.url().optional(),
});

export type Item = z.output<typeof Item>;

/** A line item. Its id stays the same in cart, checkout and order. */
export const LineItem = z.object({
  id: z.string(),
  item: Item,
  quantity: z.int().min(1),
  totals: z.array(Total),
});
export type LineItem = z.output<typeof LineItem>;

/** The codes as submitted, and what they and automatic promotions deduct. */
export const Discounts = z.object({
  codes: z.array(z.string()).optional(),
  applied: z.array(
    z.object({
      code: z.string().optional(),
      title: z.string(),
      amount: z.int().min(1),
      automatic: z.boolean(),
      priority: z.int().min(1),
      allocations: z.array(z.object({ path: z.string(), amount })).optional(),
    }),
  ),
});
export type Discounts = z.output<typeof Discounts>;

/** A postal address as the protocol has it. */
export const Address = z.object({
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  street_address: z.string().optional(),
  extended_address: z.string().optional(),
  address_locality: z.string().optional(),
  address_region: z.string().optional(),
  address_country: z.string().optional(),
  postal_code: z.string().optional(),
  phone_number: z.string().optional(),
});
export type Address = z.output<typeof Address>;

/** An address that an agent offers as destination. */
export const Destination = z.object({ id: z.string(), ...Address.shape });
export type Destination = z.output<typeof Destination>;

/** The buyer's choices about their data. */
export const Consent = z.object({
  analytics: z.boolean().optional(),
  preferences: z.boolean().optional(),
  marketing: z.boolean().optional(),
  sale_of_data: z.boolean().optional(),
});
export type Consent = z.output<typeof Consent>;

const Buyer = z.object({
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  email: z.string().optional(),
  phone_number: z.string().optional(),
});

/** What carts and checkouts have in common. */
export const Basket = z.object({
  id: z.string(),
  line_items: z.array(LineItem),
  buyer: Buyer.optional(),
  currency: z.string(),
  totals: z.array(Total),
  discounts: Discounts.optional(),
  messages: z.array(Message).optional(),
  links: z.array(z.object({ type: z.string(), url: z.url() })),
  continue_url: z.url().optional(),
  expires_at: z.iso.datetime().optional(),
});
export type Basket = z.output<typeof Basket>;
