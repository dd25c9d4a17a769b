import { z } from '@hono/zod-openapi';
import { Totals } from '../pricing/index.ts';

/** The last versions of a cart, newest first. */
export const CartHistory = z
  .object({
    data: z.array(
      z.object({
        version: z.int(),
        at: z.iso.datetime(),
        application_id: z.int().nullable().openapi({ description: 'The application that made the change.' }),
        operations: z.array(
          z.object({
            op: z.enum([
              'create',
              'add',
              'set',
              'remove',
              'coupon',
              'remove_coupon',
              'address',
              'shipping_method',
              'metadata',
              'merge',
            ]),
            item_id: z.int().optional(),
            product_id: z.int().optional(),
            variant_id: z.int().nullable().optional(),
            quantity: z.int().optional(),
            code: z.string().nullable().optional(),
            id: z.string().optional().openapi({ description: 'The shipping method.' }),
          }),
        ),
        totals: Totals.openapi({ description: 'The totals right after the change.' }),
      }),
    ),
    currency: z.string(),
  })
  .openapi('CartHistory');
export type CartHistory = z.infer<typeof CartHistory>;
