import { z } from '@hono/zod-openapi';
import { Currency } from '../kernel/core/currencies.ts';
import { idParam } from '../kernel/core/pagination.ts';
import { PostalAddress } from '../kernel/core/postal-address.ts';
import { rawText, text } from '../kernel/core/text.ts';
import { LineItem, Totals } from '../pricing/index.ts';
import { MAX_LINE_QUANTITY } from './object/edits.ts';
import { type Options, optionsError } from './options/options.ts';

const quantity = z.int().min(1).max(MAX_LINE_QUANTITY);
const token = rawText(100).openapi({ example: 'ct_…' });

/** What is chosen of a product; by type: see the description of the endpoint. At most 4 KiB. */
const OptionsInput = z
  .custom<Options>()
  .superRefine((given, ctx) => {
    const fault = optionsError(given);
    if (fault) ctx.addIssue({ code: 'custom', message: fault });
  })
  .openapi({ type: 'object', additionalProperties: true, example: { variant_id: 12 } });

/** A cart to be made; the currency must be one that the tenant sells in. Default: the tenant's own. */
export const CartCreate = z.strictObject({ currency: Currency.optional() }).openapi('CartCreate');

/** So many of a product, 1 to 9,999 to a line; without a token a cart is made for it. */
export const ItemAdd = z
  .strictObject({
    product_id: z.int().min(1),
    quantity,
    cart_token: token.nullable().optional(),
    options: OptionsInput.optional(),
  })
  .openapi('CartItemAdd');
export type ItemAdd = z.infer<typeof ItemAdd>;

/** A line's new quantity: 1 to 9,999. */
export const ItemPatch = z.strictObject({ cart_token: token, quantity }).openapi('CartItemPatch');

/** A coupon's code, at most 64 characters. */
export const CouponApply = z.strictObject({ code: text(64) }).openapi('CartCouponApply');

/** The cart in a path. */
export const CartParams = z.object({ cart_token: token });
/** The line in a path, counted from 1 in its cart. */
export const ItemParams = z.object({ id: idParam });
/** The cart of a call that has no body. */
export const CartQuery = z.object({ cart_token: token });

/** What the shopper should know of a line before buying. */
const WarningSchema = z.object({
  code: z.enum(['price_changed', 'not_enough_stock', 'out_of_stock']),
  item_id: z.int(),
  message: z.string(),
});
export type Warning = z.infer<typeof WarningSchema>;

/** A cart as every cart operation answers it. */
export const CartAnswer = z
  .object({
    cart_token: z.string(),
    items: z.array(LineItem),
    totals: Totals,
    currency: z.string(),
    warnings: z.array(WarningSchema),
    coupon: z
      .object({ code: z.string(), applies: z.boolean() })
      .optional()
      .openapi({ description: 'What the cart holds; `applies` is false while it has no effect.' }),
    shipping_address: PostalAddress.optional().openapi({
      description: "Whole with the session of the cart's customer, else the country alone.",
    }),
    email: z.string().optional(),
  })
  .openapi('Cart');
export type CartAnswer = z.infer<typeof CartAnswer>;
