import { z } from '@hono/zod-openapi';
import { EmailAddress } from '../kernel/text/email.ts';
import { line, rawText, text } from '../kernel/text/text.ts';
import { PostalAddress, PostalAddressInput } from '../kernel/values/postal-address.ts';
import { ChosenShipping, LineItem, ShippingMethodOption, ShownPromotion, Totals } from '../pricing/index.ts';

/** A URL exactly as sent; `checkReturnUrl` validates it against the tenant's hosts. */
const url = rawText(2048, { least: 1 });
const uri = url.openapi({ format: 'uri', example: 'https://shop.example.com/thanks' });

/** The body of a checkout request; URLs have at most 2,048 characters. */
export const SeamlessCreate = z
  .strictObject({
    cart_token: rawText(100).openapi({ example: 'ct_…' }),
    return_url: uri.openapi({
      description:
        'An https URL on one of `settings.checkout.allowed_hosts` or on an origin of an application; an app has a universal link (iOS) or an app link (Android) there. The hosted checkout adds `order_id`, `order_number`, `status`, `ts` (Unix seconds) and `signature`: the hex HMAC-SHA-256 of `order_id.order_number.status.ts` with `checkout_secret` as the key. What has no secret, such as an app, reads `status` of the cart instead, also if the shopper never comes back.',
    }),
    cancel_url: uri.optional().openapi({ description: 'Default: `return_url`.' }),
  })
  .openapi('SeamlessCreate');

/** The redirect to checkout. */
export const Seamless = z
  .object({ redirect_url: z.url().openapi({ description: 'Valid for one order and for 15 to 30 minutes.' }) })
  .openapi('Seamless');

const token = rawText(100, { least: 1 });
/**
 * The path parameter of a session: the `session` claim of the JWS, or the last path segment of the redirect
 * URL.
 */
export const SessionParams = z.object({ id: token });

/**
 * The order of a session, with the buyer as the tenant's own checkout collected it: name 120, phone 40
 * characters.
 */
export const OrderCreate = z
  .strictObject({
    session: token.openapi({
      description: 'The `session` claim of the JWS, or the last path segment of the redirect URL.',
    }),
    customer: z
      .strictObject({
        name: line(120).optional(),
        email: EmailAddress.optional(),
        phone: line(40).optional(),
      })
      .optional(),
    shipping_address: PostalAddressInput.optional().openapi({
      description:
        "Its country determines tax and shipping. Default: the cart's address. For a customer's cart, only its country is used unless that customer's session prepared the checkout.",
    }),
    shipping_method: rawText(64, { least: 1 }).optional().openapi({
      description:
        "The id of one of the session's `shipping_methods`. Default: the cart's method or, where that does not fit the address, the cheapest.",
    }),
    billing_address: PostalAddressInput.optional().openapi({ description: 'Default: the shipping address.' }),
    note: rawText(500).optional().openapi({ description: "The shopper's message to the shop." }),
  })
  .openapi('OrderCreate');
export type OrderCreate = z.infer<typeof OrderCreate>;

// The OpenAPI generator copies keywords that its types lack.
const PART_IS_NAMED: object = {
  dependentRequired: { amount: ['refund_reference'], refund_reference: ['amount'] },
};

/** The report of a payment in the tenant's own checkout; a reference has at most 255 characters. */
export const PaymentReport = z
  .strictObject({
    status: z.enum(['paid', 'failed', 'refunded']),
    reference: text(255).openapi({
      description: "The payment provider's id of the payment. Repeating a report changes nothing.",
    }),
    amount: z.number().positive().optional().openapi({
      description:
        'Only with `refunded`: a part of the payment, which cancels nothing. Without it, all that is left was refunded.',
      example: 4.5,
    }),
    refund_reference: text(255).optional().openapi({
      description:
        "The payment provider's id of this refund, required with `amount`. Repeating a report with it changes nothing.",
    }),
  })
  .superRefine(({ status, amount, refund_reference }, ctx) => {
    const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    if (amount === undefined) {
      if (refund_reference !== undefined) refuse('refund_reference', 'must come with amount');
    } else if (status !== 'refunded') refuse('amount', 'must come with status refunded');
    else if (refund_reference === undefined) refuse('refund_reference', 'must name the refund');
  })
  .openapi('PaymentReport', PART_IS_NAMED);
export type PaymentReport = z.infer<typeof PaymentReport>;

/** A checkout session, as a tenant's own checkout reads it. */
export const CheckoutSession = z
  .object({
    id: z.string(),
    status: z.enum(['open', 'ordered', 'ended']).openapi({
      description:
        '`ended`: no order can be placed, because the session expired, the cart was edited, or a newer session was created.',
    }),
    items: z.array(LineItem),
    totals: Totals,
    currency: z.string(),
    coupon: z.string().nullable().openapi({ description: 'The first code of `applied_promotions`.' }),
    applied_promotions: z.array(ShownPromotion),
    shipping_method: ChosenShipping.nullable(),
    shipping_methods: z.array(ShippingMethodOption).openapi({
      description:
        "The methods that fit the session's country; empty if nothing is shipped, and once the order is placed.",
    }),
    customer: z.object({ id: z.int().nullable(), email: z.string().nullable() }),
    shipping_address: PostalAddress.nullable(),
    return_url: z.url(),
    cancel_url: z.url().nullable(),
    order_id: z.string().nullable(),
    expires_at: z.iso.datetime(),
  })
  .openapi('CheckoutSession');
export type CheckoutSession = z.infer<typeof CheckoutSession>;
