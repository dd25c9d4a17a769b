import { z } from '@hono/zod-openapi';
import { CODE_REFUSALS } from '../core/code-refusals.ts';
import { ERRORS, type ErrorCode } from '../core/errors.ts';
import { keysOf } from '../core/records.ts';
import { SCOPES } from '../core/scopes.ts';

const shortage = {
  product_id: z.int().optional(),
  requested: z.int().optional().openapi({ description: 'The quantity of this call.' }),
  available: z.int().optional().openapi({ description: 'The quantity that can be sold.' }),
  in_cart: z
    .int()
    .optional()
    .openapi({ description: 'What other lines take; at checkout, what the cart holds.' }),
  variant_id: z.int().nullable().optional(),
};

/** The schemas of `details` by error code. Fields that not every cause has are optional. */
export const DETAILS = {
  insufficient_stock: z.looseObject({ ...shortage, sku: z.string().nullable().optional() }),
  slot_unavailable: z.looseObject({
    ...shortage,
    from: z.iso.datetime().optional(),
    to: z.iso.datetime().optional(),
  }),
  sku_taken: z.looseObject({
    product_id: z
      .int()
      .optional()
      .openapi({ description: 'The product that has it, itself or as a variant.' }),
    sku: z.string().optional(),
  }),
  insufficient_scope: z.looseObject({ required_scope: z.enum(SCOPES) }),
  quota_exceeded: z.looseObject({ quota: z.string(), limit: z.int() }),
  coupon_not_applicable: z.looseObject({
    reason: z.enum([...CODE_REFUSALS, 'used_up', 'too_many_codes']),
    minimum_subtotal: z.number().optional().openapi({
      description:
        'With `below_minimum_subtotal`: the value of the goods from which it applies, in the currency of the cart.',
    }),
    minimum_quantity: z.int().optional().openapi({
      description: 'With `below_minimum_quantity`: how many of the goods that it is for must be in the cart.',
    }),
    code: z.string().optional().openapi({ description: 'The code, where an order is placed.' }),
  }),
  shipping_unavailable: z.looseObject({
    available: z
      .array(z.string())
      .optional()
      .openapi({ description: 'The ids of the methods that fit, where one was chosen.' }),
  }),
  total_not_chargeable: z.looseObject({ total: z.number(), currency: z.string() }),
  cart_locked: z.looseObject({ order_id: z.string().optional() }),
  price_changed: z.looseObject({
    cart: z
      .custom<object>()
      .optional()
      .openapi({
        type: 'object',
        // By name: the kernel knows no module.
        allOf: [{ $ref: '#/components/schemas/Cart' }],
        description:
          'The repriced cart. Absent where an order is placed: the checkout session has the new total.',
      }),
  }),
  refund_too_large: z.looseObject({
    line_id: z.int().optional().openapi({ description: 'Set when units of this line are not left.' }),
    requested: z.number().optional(),
    refundable: z.number().optional().openapi({ description: 'The amount, or the units, that are left.' }),
  }),
  media_in_use: z.looseObject({
    product_ids: z.array(z.int()),
    category_ids: z.array(z.int()),
    theme: z.boolean(),
  }),
  payload_too_large: z.looseObject({ max_bytes: z.int() }),
  unsupported_media_type: z.looseObject({
    takes: z.string().optional().openapi({ description: 'The media types that the call takes.' }),
    declared: z.string().optional().openapi({ description: "The type of an image's `Content-Type`." }),
    detected: z.string().nullable().optional().openapi({
      description: 'The type of the bytes; null if they are no image.',
    }),
  }),
  invalid_image: z.looseObject({ reason: z.string() }),
  request_timeout: z.looseObject({ max_seconds: z.number() }),
} satisfies Partial<Record<ErrorCode, z.ZodType>>;

const isDetailed = (code: ErrorCode): code is keyof typeof DETAILS => code in DETAILS;

/** Schema of the body of every error response, whatever its code. */
export const Problem = z.object({
  message: z.string().openapi({ description: 'For people. May change.' }),
  code: z.string().openapi({ description: 'For programs. Never changes.' }),
  errors: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .openapi({ description: 'Field path → messages.' }),
  details: z.record(z.string(), z.unknown()).optional(),
  request_id: z.string(),
});

const codes = keysOf(ERRORS);

/** What `details` also has where one of several changes failed. */
const FAILED_CHANGE = {
  index: z.int().optional().openapi({
    description: 'Of `POST /v1/cart` and a batch: which of the `items` or `operations` failed, from 0.',
  }),
};

/** The codes with details of their own that a change of a cart may fail with. */
const CHANGE_CODES: ReadonlySet<ErrorCode> = new Set([
  'insufficient_stock',
  'slot_unavailable',
  'shipping_unavailable',
  'coupon_not_applicable',
]);

/** The documented form of {@link Problem}: one variant for each code with details of its own, and one for the rest. */
export const DocumentedProblem = z
  .union([
    Problem.extend({
      code: z.enum(codes.filter((code) => !isDetailed(code))),
      details: z.looseObject(FAILED_CHANGE).optional(),
    }),
    ...codes.filter(isDetailed).map((code) =>
      Problem.extend({
        code: z.literal(code),
        details: (CHANGE_CODES.has(code) ? DETAILS[code].extend(FAILED_CHANGE) : DETAILS[code]).optional(),
      }),
    ),
  ])
  .openapi('Error', { description: 'Branch on `code`; later versions may add codes.' });
