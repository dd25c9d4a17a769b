import { z } from '@hono/zod-openapi';
import { PRODUCT_TYPES } from '../catalog/index.ts';
import { MAX_LINE_QUANTITY } from '../kernel/core/limits.ts';
import { idParam } from '../kernel/core/pagination.ts';
import { isRecord } from '../kernel/core/records.ts';
import { rawText, text } from '../kernel/text/text.ts';
import { Currency } from '../kernel/values/currencies.ts';
import { MetadataInput, ShownMetadata } from '../kernel/values/metadata.ts';
import { PostalAddress, PostalAddressInput } from '../kernel/values/postal-address.ts';
import {
  ChosenShipping,
  LineItem,
  LineTax,
  Selected,
  ShippingMethodOption,
  ShownCode,
  ShownPromotion,
  Totals,
} from '../pricing/index.ts';
import { type Options, optionsError } from './options/offer.ts';

const quantity = z.int().min(1).max(MAX_LINE_QUANTITY);
const token = rawText(100).openapi({ example: 'ct_…' });

/** The chosen options; their keys depend on the product type (see the endpoint). At most 4 KiB of JSON. */
const OptionsInput = z
  .custom<Options>()
  .superRefine((given, ctx) => {
    const error = optionsError(given);
    if (error) ctx.addIssue({ code: 'custom', message: error });
  })
  .openapi({ type: 'object', additionalProperties: true, example: { variant_id: 12 } });

/** The fields that name a product to add and its options, with 1 to 9,999 units per line item. */
const addition = {
  product_id: z.int().min(1).optional(),
  variant_id: z.int().min(1).optional().openapi({
    description:
      'The variant of a configurable product, in place of `options.variant_id`. It also finds the product.',
  }),
  quantity,
  options: OptionsInput.optional(),
};

/** Returns whether an addition names a product or a variant. */
const namesProduct = ({ product_id, variant_id }: { product_id?: unknown; variant_id?: unknown }): boolean =>
  product_id !== undefined || variant_id !== undefined;

/** The error of an addition that names neither, which is found also where other fields are not valid. */
const UNNAMED_PRODUCT = {
  path: ['product_id'],
  message: 'is required unless variant_id is given',
  when: ({ value }: { value: unknown }) => isRecord(value),
};

/** The most operations of one request on a cart. */
const MAX_OPERATIONS = 50;

const Addition = z.strictObject(addition).refine(namesProduct, UNNAMED_PRODUCT);

/**
 * A new cart. The currency must be one of the tenant's; the default is its main currency. Takes at most
 * {@link MAX_OPERATIONS} products.
 */
export const CartCreate = z
  .strictObject({
    currency: Currency.optional(),
    items: z.array(Addition).max(MAX_OPERATIONS).optional(),
    metadata: MetadataInput.optional(),
  })
  .openapi('CartCreate');

const itemId = z.int().min(1);
const methodId = rawText(64, { least: 1 }).openapi({ example: 'express' });

/** One edit of a cart in a batch. */
const CartOperation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), ...addition }).refine(namesProduct, UNNAMED_PRODUCT),
  z.strictObject({ op: z.literal('set'), item_id: itemId, quantity }),
  z.strictObject({ op: z.literal('remove'), item_id: itemId }),
  z.strictObject({ op: z.literal('coupon'), code: text(64).nullable() }),
  z.strictObject({ op: z.literal('address'), address: PostalAddressInput }),
  z.strictObject({ op: z.literal('shipping_method'), id: methodId }),
  z.strictObject({ op: z.literal('metadata'), metadata: MetadataInput }),
]);
export type CartOperationInput = z.output<typeof CartOperation>;

/** Up to {@link MAX_OPERATIONS} edits of a cart, made all or none, in their order. */
export const CartBatch = z
  .strictObject({ operations: z.array(CartOperation).min(1).max(MAX_OPERATIONS) })
  .openapi('CartBatch');

/** A product to add. Without a token a new cart is created. */
export const ItemAdd = z
  .strictObject({ ...addition, cart_token: token.nullable().optional() })
  .refine(namesProduct, UNNAMED_PRODUCT)
  .openapi('CartItemAdd');
export type ItemAdd = z.infer<typeof ItemAdd>;

/** The new quantity of a line item: 1 to 9,999. */
export const ItemPatch = z.strictObject({ cart_token: token, quantity }).openapi('CartItemPatch');

/** A coupon code of at most 64 characters. */
export const CouponApply = z.strictObject({ code: text(64) }).openapi('CartCouponApply');

/** The query parameter that names one of a cart's codes. */
export const CouponQuery = z.object({ code: text(64).optional() });

/** The shipping method to choose, by its id. */
export const ShippingMethodChoice = z.strictObject({ id: methodId }).openapi('CartShippingMethodChoice');

/** The shipping methods that fit a cart, in the order of the settings. */
export const ShippingMethodList = z
  .object({ data: z.array(ShippingMethodOption) })
  .openapi('ShippingMethodList');
export type ShippingMethodList = z.infer<typeof ShippingMethodList>;

/** The path parameter that names the cart. */
export const CartParams = z.object({ cart_token: token });
/** The path parameter that names the line item; ids count from 1 within a cart. */
export const ItemParams = z.object({ id: idParam });
/** The query parameter that names the cart in a request without a body. */
export const CartQuery = z.object({ cart_token: token });

/** A warning about a line item (its price changed, or its stock is insufficient), shipping, a merge or codes. */
const WarningSchema = z.object({
  code: z
    .enum([
      'price_changed',
      'not_enough_stock',
      'out_of_stock',
      'shipping_method_changed',
      'shipping_unavailable',
      'items_not_merged',
      'coupons_not_merged',
      'coupons_removed',
    ])
    .openapi({
      description:
        "`shipping_method_changed`: the chosen method does not fit, and the cheapest applies; `shipping_unavailable`: no method delivers to the country; `items_not_merged`, `coupons_not_merged`: what did not fit when the customer's earlier cart was merged into this one, until the next change; `coupons_removed`: codes that were entered and are deleted or used up, until the next change.",
    }),
  item_id: z.int().optional().openapi({ description: 'Only in a warning about an item.' }),
  available: z.int().optional().openapi({
    description: 'With `not_enough_stock` and `out_of_stock`: the quantity of the item that can be bought.',
  }),
  previous_unit_price: z.number().optional().openapi({
    description: "With `price_changed`: the item's `unit_price` before.",
  }),
  coupons: z.array(z.string()).optional().openapi({
    description: 'With `coupons_not_merged` and `coupons_removed`: the codes.',
  }),
  message: z.string().openapi({ description: 'English, for developers. May change.' }),
});
export type Warning = z.infer<typeof WarningSchema>;

/** A line item of a cart, with everything that shows it without another request. */
export const CartItem = LineItem.extend({
  regular_price: z.number().nullable().openapi({
    description:
      'What `unit_price` is reduced from, to strike through: of a variant its own, of a bundle the sum of its items, with the surcharges of chosen downloads. Null if it is not reduced.',
  }),
  tax: LineTax,
  tax_rate_percent: z.number().openapi({ description: 'The rate of that tax.' }),
  slug: z.string().nullable().openapi({
    description: "The product's slug. Null only for a product that was deleted before carts had slugs.",
  }),
  image: z.url().nullable().openapi({ description: "The variant's image, or else the product's first." }),
  type: z.enum(PRODUCT_TYPES),
  selected: Selected,
}).openapi('CartItem');

/** The response of every cart operation. */
export const CartAnswer = z
  .object({
    cart_token: z.string(),
    items: z.array(CartItem),
    total_quantity: z.int().openapi({ description: 'The sum of the quantities.' }),
    totals: Totals,
    currency: z.string(),
    status: z.enum(['open', 'ordered', 'paid']).openapi({
      description:
        '`ordered`: an order waits for its payment; `paid`: it was paid, and the shopper needs a new cart. Only an open cart can be changed. Cancelling the order opens the cart again.',
    }),
    order: z
      .object({
        id: z.string(),
        number: z.int(),
        status: z.enum(['pending', 'paid']),
        redirect_url: z.url().optional().openapi({
          description:
            'Leads back to paying a pending order. The page shows no contact data to another browser.',
        }),
      })
      .optional()
      .openapi({ description: 'The order of a cart that is not open.' }),
    shipping_method: ChosenShipping.nullable().openapi({
      description:
        'The chosen method, or the cheapest if none was chosen or the chosen one does not fit. Null if nothing is shipped, or if no method fits.',
    }),
    warnings: z.array(WarningSchema),
    coupon: ShownCode.optional(),
    coupons: z.array(ShownCode).openapi({
      description:
        'The codes that were entered, up to 3; `coupon` is the last of them. `applies` is false while the conditions of one are not met, or others that it does not combine with are better: `reason` says which.',
    }),
    applied_promotions: z.array(ShownPromotion),
    metadata: ShownMetadata.openapi({
      description: "Texts that the cart's holder keeps with it. The order gets a copy.",
    }),
    shipping_address: PostalAddress.optional().openapi({
      description: "The full address with the session of the cart's customer, else only the country.",
    }),
    email: z.string().optional(),
  })
  .openapi('Cart');
export type CartAnswer = z.infer<typeof CartAnswer>;

/** The data of the event `cart.abandoned`. */
export const CartAbandoned = CartAnswer.pick({
  items: true,
  total_quantity: true,
  totals: true,
  currency: true,
  metadata: true,
})
  .extend({
    cart_token: z.string().nullable().openapi({
      description:
        'Leads back to the cart. Whoever has it can read and change the cart: send it to the shopper only.',
    }),
    customer_id: z.int().nullable().openapi({ description: 'Null for a guest.' }),
    email: z.string().nullable().openapi({
      description:
        "The customer's address; a guest's is the one given with an order that was refused, cancelled or not paid in time.",
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().openapi({ description: 'The last change, an hour before the event.' }),
  })
  .openapi('CartAbandoned', {
    description: '`cart_token` and `email` are null, and `metadata` is empty, after the customer was erased.',
  });
export type CartAbandoned = z.infer<typeof CartAbandoned>;
