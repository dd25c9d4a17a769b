import { z } from '@hono/zod-openapi';
import { idParam, listPages, PageMeta } from '../../kernel/core/pagination.ts';
import { instant } from '../../kernel/values/instant.ts';
import { Amount, code, ids, uses } from '../schemas.ts';

const fields = {
  code,
  kind: z.enum(['percent', 'fixed', 'free_shipping']),
  value: Amount.default(0).openapi({
    description: 'A percentage or an amount; must be 0 or omitted for `free_shipping`.',
  }),
  minimum_subtotal: Amount.nullable().optional(),
  starts_at: instant.nullable().optional(),
  ends_at: instant.nullable().optional(),
  max_uses: uses.nullable().optional(),
  max_uses_per_customer: uses.nullable().optional(),
  product_ids: ids.nullable().optional().openapi({
    description: 'A group can not be named: its members are the items of a cart.',
  }),
  category_ids: ids.nullable().optional().openapi({
    description: 'Includes descendants. Without products and categories, every line item is eligible.',
  }),
};

/** A new coupon. */
export const CouponCreate = z.strictObject(fields).openapi('CouponCreate');
export type CouponCreate = z.infer<typeof CouponCreate>;

/** Changes to a coupon; the given fields are replaced. */
export const CouponPatch = z
  .strictObject({
    ...fields,
    code: code.optional(),
    kind: fields.kind.optional(),
    value: Amount.optional(),
  })
  .openapi('CouponPatch');
export type CouponPatch = z.infer<typeof CouponPatch>;

/** A coupon and its number of redemptions. */
export const CouponAnswer = z
  .object({
    id: z.int(),
    code: z.string(),
    kind: fields.kind,
    value: Amount,
    minimum_subtotal: Amount.nullable(),
    starts_at: z.iso.datetime().nullable(),
    ends_at: z.iso.datetime().nullable(),
    max_uses: z.int().nullable(),
    max_uses_per_customer: z.int().nullable(),
    product_ids: z.array(z.int()),
    category_ids: z.array(z.int()),
    uses: z.int().openapi({ description: 'The orders that have redeemed it, without cancelled ones.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('Coupon');
export type CouponAnswer = z.infer<typeof CouponAnswer>;

/** A page of coupons. */
export const CouponList = z.object({ data: z.array(CouponAnswer), meta: PageMeta }).openapi('CouponList');
/** The path parameter of a coupon. */
export const CouponParams = z.object({ id: idParam });
/** Pages and cursors of the list of coupons: by id. */
export const couponPages = listPages('coupons', z.int());
/** A page of coupons, without filters. */
export const CouponQuery = z.object(couponPages.query);
