import { z } from '@hono/zod-openapi';
import { idParam, listPages, PageMeta } from '../kernel/core/pagination.ts';
import { line, rawText, text } from '../kernel/text/text.ts';
import { AmountByCurrency } from '../kernel/values/currencies.ts';
import { instant } from '../kernel/values/instant.ts';

/** An amount of a coupon or promotion. */
export const Amount = AmountByCurrency.openapi({
  description: 'A number, which applies in every currency, or an object keyed by currency.',
});
/** A code as shoppers enter it: 1 to 64 letters, digits, "-" and "_". */
export const code = text(64, [
  // The vowel signs of Hindi, Tamil or Thai are marks.
  /^[\p{L}\p{N}_-][\p{L}\p{M}\p{N}_-]*$/u,
  'must contain only letters, digits, "-" and "_"',
]).openapi({
  example: 'SUMMER-10',
});
/** A number of redemptions. */
export const uses = z.int().min(1).max(1_000_000_000);
/** Up to 500 ids of products or categories. */
export const ids = z.array(z.int().min(1)).max(500);

const trigger = z.enum(['automatic', 'code']).openapi({
  description:
    '`automatic`: applies to every cart that meets the conditions; `code`: to carts with the code.',
});

const percent = z.number().openapi({ description: 'A percentage above 0 and up to 100.' });
/** The units to buy or to get, of one set. */
const units = z.int().min(1).max(1_000);

/** What a promotion does. */
const Effect = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('percent'), value: percent }),
    z.strictObject({ kind: z.literal('fixed'), value: Amount }),
    z.strictObject({ kind: z.literal('free_shipping') }),
    z.strictObject({ kind: z.literal('buy_x_get_y'), buy: units, get: units, percent_off: percent }),
  ])
  .openapi('PromotionEffect', {
    description:
      '`percent` and `fixed` reduce the eligible goods, `fixed` at most to 0. `buy_x_get_y` lines up the eligible units from the dearest to the cheapest, cuts them into sets of `buy` + `get`, and reduces the cheapest `get` of each set by `percent_off`; in a last incomplete set, the units beyond `buy`.',
  });

const conditions = {
  minimum_subtotal: Amount.nullable().optional().openapi({
    description: 'The least subtotal of the whole cart, before any discount.',
  }),
  minimum_quantity: z.int().min(1).max(1_000_000).nullable().optional().openapi({
    description: 'The least number of eligible units.',
  }),
  product_ids: ids.nullable().optional().openapi({
    description: 'A group can not be named: its members are the items of a cart.',
  }),
  category_ids: ids.nullable().optional().openapi({
    description: 'Includes descendants. Without products and categories, every line item is eligible.',
  }),
  first_order: z.boolean().optional().openapi({
    description:
      'Only for a shopper without a paid order, and once. Guests are known by their e-mail address when they place the order.',
  }),
};

const fields = {
  name: line(120).openapi({ description: 'What shoppers see.', example: 'Summer sale' }),
  trigger,
  code: code.nullable().optional().openapi({
    description: 'Required for the trigger `code`, and only then. Without case and accents.',
  }),
  conditions: z.strictObject(conditions).optional(),
  effect: Effect,
  priority: z.int().min(0).max(1_000).default(100).openapi({
    description: 'The lowest number applies first, to the full price; ties by id.',
  }),
  combinable: z.boolean().default(false).openapi({
    description: 'Whether it applies together with other promotions that combine.',
  }),
  starts_at: instant.nullable().optional(),
  ends_at: instant.nullable().optional(),
  max_uses: uses.nullable().optional(),
  max_uses_per_customer: uses.nullable().optional(),
  active: z.boolean().default(true),
};

/** A new promotion. */
export const PromotionCreate = z.strictObject(fields).openapi('PromotionCreate');
export type PromotionCreate = z.infer<typeof PromotionCreate>;

/** Changes to a promotion; the given fields and conditions are replaced. */
export const PromotionPatch = z
  .strictObject({
    ...fields,
    priority: z.int().min(0).max(1_000),
    combinable: z.boolean(),
    active: z.boolean(),
  })
  .partial()
  .openapi('PromotionPatch');
export type PromotionPatch = z.infer<typeof PromotionPatch>;

/** A promotion and its number of redemptions. */
export const PromotionAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    trigger,
    code: z.string().nullable(),
    conditions: z.object({
      minimum_subtotal: Amount.nullable(),
      minimum_quantity: z.int().nullable(),
      product_ids: z.array(z.int()),
      category_ids: z.array(z.int()),
      first_order: z.boolean(),
    }),
    effect: Effect,
    priority: z.int(),
    combinable: z.boolean(),
    starts_at: z.iso.datetime().nullable(),
    ends_at: z.iso.datetime().nullable(),
    max_uses: z.int().nullable(),
    max_uses_per_customer: z.int().nullable(),
    active: z.boolean(),
    uses: z.int().openapi({ description: 'The orders that have redeemed it, without cancelled ones.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Promotion');
export type PromotionAnswer = z.infer<typeof PromotionAnswer>;

/** A page of promotions. */
export const PromotionList = z
  .object({ data: z.array(PromotionAnswer), meta: PageMeta })
  .openapi('PromotionList');
/** The products that a promotion names. */
export const PromotionProducts = z
  .object({ data: z.array(z.object({ id: z.int(), name: z.string(), sku: z.string() })) })
  .openapi('PromotionProducts');
/** The path parameter of a promotion. */
export const PromotionParams = z.object({ id: idParam });
/** Pages and cursors of the list of promotions: by id. */
export const promotionPages = listPages('promotions', z.int());
/** Whether a promotion applies at present: decided by its switch, its period and its redemptions. */
const STANDINGS = ['running', 'scheduled', 'over', 'off'] as const;
/** A page of promotions, with optional filters. */
export const PromotionQuery = z.object({
  ...promotionPages.query,
  trigger: trigger.optional(),
  standing: z.enum(STANDINGS).optional().openapi({
    description:
      '`running`; `scheduled`: starts later; `over`: its period is over or its `max_uses` are used up; `off`: not `active`.',
  }),
  q: rawText(100, { least: 1 }).optional().openapi({
    description: 'A part of the name or of the code, without case and accents.',
  }),
});
/** The filters of a list of promotions. */
export type PromotionFilter = Pick<z.output<typeof PromotionQuery>, 'trigger' | 'standing' | 'q'>;
