import { z } from 'zod';

/** The parts of API responses that the demo shop reads. Like any client, it doesn't use the server's schemas. */

const Listed = z.object({
  id: z.number(),
  name: z.string(),
  /** Optional in search results. */
  type: z.string().optional(),
  price: z.number(),
  currency: z.string(),
  stock: z.number(),
  /** In search results since images have sizes. */
  media: z
    .array(z.object({ url: z.string(), alt: z.string().nullable(), width: z.number().nullable() }))
    .default([]),
});

const Meta = z.object({ page: z.number(), limit: z.number(), total: z.number(), total_pages: z.number() });

export const ProductList = z.object({ data: z.array(Listed), meta: Meta });

export const Product = Listed.extend({
  description: z.string().nullable(),
  inventory_policy: z.string(),
  regular_price: z.number().optional(),
  variants: z
    .array(
      z.object({
        id: z.number(),
        price: z.number(),
        stock: z.number(),
        attributes: z.record(z.string(), z.string()),
      }),
    )
    .optional(),
  links: z.array(z.object({ id: z.number(), title: z.string(), price: z.number().optional() })).optional(),
  grouped: z.array(z.object({ product_id: z.number(), default_quantity: z.number() })).optional(),
  bundle_groups: z
    .array(
      z.object({
        id: z.number(),
        title: z.string(),
        required: z.boolean(),
        multiple: z.boolean(),
        items: z.array(z.object({ id: z.number(), product_id: z.number(), default: z.boolean() })),
      }),
    )
    .optional(),
  booking: z
    .object({
      slots: z.array(z.object({ from: z.string(), to: z.string(), available: z.number() })),
    })
    .optional(),
});
export type Product = z.output<typeof Product>;

export const Cart = z.object({
  cart_token: z.string(),
  items: z.array(
    z.object({
      id: z.number(),
      product_id: z.number(),
      name: z.string(),
      sku: z.string(),
      quantity: z.number(),
      unit_price: z.number(),
      total: z.number(),
    }),
  ),
  totals: z.object({
    subtotal: z.number(),
    tax: z.number(),
    shipping: z.number(),
    discount: z.number(),
    grand_total: z.number(),
    tax_included: z.boolean(),
  }),
  currency: z.string(),
  warnings: z.array(z.object({ message: z.string() })).default([]),
});
export type Cart = z.output<typeof Cart>;

/** A new session, with the customer's cart. */
export const Account = z.object({ token: z.string(), cart_token: z.string().nullable() });

export const Customer = z.object({ name: z.string(), email: z.string() });

const Order = z.object({
  number: z.number(),
  status: z.string(),
  items: z.array(
    z.object({
      name: z.string(),
      quantity: z.number(),
      downloads: z.array(z.object({ title: z.string(), url: z.string() })).default([]),
    }),
  ),
  totals: z.object({ grand_total: z.number() }),
  currency: z.string(),
  created_at: z.string(),
});
export type Order = z.output<typeof Order>;

export const Orders = z.object({ data: z.array(Order), meta: Meta });
export const Redirect = z.object({ redirect_url: z.string() });
