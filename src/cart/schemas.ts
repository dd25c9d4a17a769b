import { z } from '@hono/zod-openapi';
import { idParam } from '../kernel/pagination.ts';
import { Country, Currency } from '../tenants/index.ts';
import { MOST_QUANTITY } from './change.ts';
import { type Options, optionsFault } from './options.ts';

const quantity = z.int().min(1).max(MOST_QUANTITY);
const token = z.string().max(100).openapi({ example: 'ct_…' });

/** What is chosen of a product; by type: see the description of the endpoint. At most 4 KiB. */
const OptionsInput = z
  .custom<Options>()
  .superRefine((given, ctx) => {
    const fault = optionsFault(given);
    if (fault) ctx.addIssue({ code: 'custom', message: fault });
  })
  .openapi({ type: 'object', additionalProperties: true, example: { variant_id: 12 } });

export const CartCreate = z.strictObject({ currency: Currency.optional() }).openapi('CartCreate');

export const ItemAdd = z
  .strictObject({
    product_id: z.int().min(1),
    quantity,
    cart_token: token.nullable().optional(),
    options: OptionsInput.optional(),
  })
  .openapi('CartItemAdd');

export const ItemPatch = z.strictObject({ cart_token: token, quantity }).openapi('CartItemPatch');

export const CouponApply = z
  .strictObject({ code: z.string().trim().min(1).max(64) })
  .openapi('CartCouponApply');

const text = (most: number) => z.string().trim().min(1).max(most).optional();

/** Where a cart's goods go: the country decides about tax and shipping. */
export const AddressInput = z
  .strictObject({
    country: Country,
    first_name: text(120),
    last_name: text(120),
    company: text(120),
    line1: text(255),
    line2: text(255),
    city: text(120),
    region: text(120),
    postal_code: text(20),
    phone: text(40),
  })
  .openapi('ShippingAddress');

export const CartParams = z.object({ cart_token: token });
export const ItemParams = z.object({ id: idParam });
export const CartQuery = z.object({ cart_token: token });

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
    items: z.array(
      z.object({
        id: z.int(),
        product_id: z.int(),
        variant_id: z.int().nullable(),
        name: z.string(),
        quantity: z.int(),
        unit_price: z.number(),
        total: z.number().openapi({ description: 'Unit price times quantity, before any discount.' }),
        sku: z.string(),
        options: z.record(z.string(), z.unknown()),
      }),
    ),
    totals: z.object({
      subtotal: z.number(),
      tax: z.number(),
      shipping: z.number(),
      discount: z.number(),
      grand_total: z.number(),
      tax_included: z.boolean().openapi({ description: 'Whether the tax is inside the prices.' }),
    }),
    currency: z.string(),
    warnings: z.array(WarningSchema),
    coupon: z
      .object({ code: z.string(), applies: z.boolean() })
      .optional()
      .openapi({ description: 'What the cart holds; `applies` is false while it has no effect.' }),
    shipping_address: AddressInput.optional().openapi({
      description: "Whole with the session of the cart's customer, else the country alone.",
    }),
    email: z.string().optional(),
  })
  .openapi('Cart');
export type CartAnswer = z.infer<typeof CartAnswer>;
