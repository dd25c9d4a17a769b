import { z } from '@hono/zod-openapi';
import { PostalAddress, PostalAddressInput } from '../kernel/core/postal-address.ts';
import { rawText, text } from '../kernel/core/text.ts';
import { LineItem, Totals } from '../pricing/index.ts';

/** A URL as it was given; whether it is fit to return to is checked against the tenant's hosts. */
const url = rawText(2048, { least: 1 });
const uri = url.openapi({ format: 'uri', example: 'https://shop.example.com/thanks' });

/** A checkout to be prepared; URLs have at most 2,048 characters. */
export const SeamlessCreate = z
  .strictObject({
    cart_token: rawText(100).openapi({ example: 'ct_…' }),
    return_url: uri.openapi({
      description:
        'https, on one of `settings.checkout.allowed_hosts` or an origin of an application. The hosted checkout adds `order_id`, `order_number`, `status`, `ts` (Unix seconds) and `signature`: the hex HMAC-SHA-256 of `order_id.order_number.status.ts` under the `checkout_secret`.',
    }),
    cancel_url: uri.optional().openapi({ description: 'Default: `return_url`.' }),
  })
  .openapi('SeamlessCreate');

/** Where the shopper is sent. */
export const Seamless = z
  .object({ redirect_url: z.url().openapi({ description: 'Good for one order, 30 minutes.' }) })
  .openapi('Seamless');

const token = rawText(100, { least: 1 });
/** The session in a path: the `session` of the JWS, or the end of the redirect URL. */
export const SessionParams = z.object({ id: token });

/** The order of a session, with what the tenant's own checkout has asked: name 120, phone 40 characters. */
export const OrderCreate = z
  .strictObject({
    session: token.openapi({ description: 'The `session` of the JWS, or the end of the redirect URL.' }),
    customer: z
      .strictObject({
        name: text(120).optional(),
        email: z.email().max(254).optional(),
        phone: text(40).optional(),
      })
      .optional(),
    shipping_address: PostalAddressInput.optional().openapi({
      description:
        "Its country decides tax and shipping. Default: the cart's, of a customer's cart only where their session prepared the checkout (else its country).",
    }),
  })
  .openapi('OrderCreate');
export type OrderCreate = z.infer<typeof OrderCreate>;

/** What became of a payment in the tenant's own checkout; a reference has at most 255 characters. */
export const PaymentReport = z
  .strictObject({
    status: z.enum(['paid', 'failed', 'refunded']),
    reference: text(255).openapi({
      description: "The payment's name at whoever took it. Reporting it again changes nothing.",
    }),
  })
  .openapi('PaymentReport');

/** A checkout session, for a tenant's own checkout. */
export const CheckoutSession = z
  .object({
    id: z.string(),
    status: z.enum(['open', 'ordered', 'ended']).openapi({
      description:
        '`ended` when no order can be placed with it any more: its time is over, the cart was edited, or a newer one was made.',
    }),
    items: z.array(LineItem),
    totals: Totals,
    currency: z.string(),
    coupon: z.string().nullable(),
    customer: z.object({ id: z.int().nullable(), email: z.string().nullable() }),
    shipping_address: PostalAddress.nullable(),
    return_url: z.url(),
    cancel_url: z.url().nullable(),
    order_id: z.string().nullable(),
    expires_at: z.iso.datetime(),
  })
  .openapi('CheckoutSession');
export type CheckoutSession = z.infer<typeof CheckoutSession>;
