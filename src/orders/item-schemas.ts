import { z } from '@hono/zod-openapi';
import { PRODUCT_TYPES } from '../catalog/index.ts';
import { LineItem, LineTax, Selected } from '../pricing/index.ts';

const Download = z
  .object({ id: z.int(), title: z.string(), url: z.url() })
  .openapi('Download', { description: 'A purchased file; `url` is signed and valid for 7 days.' });

/** A line item of an order. Amounts are decimal numbers. */
export const OrderItem = LineItem.extend({
  options: LineItem.shape.options.openapi({
    description:
      'As a cart takes them: `product_id`, `quantity` and `options` in `items` of `POST /v1/cart` order the same again.',
  }),
  slug: z.string().nullable().openapi({
    description:
      "The product's slug when it was ordered, which finds a renamed product too. Null in orders from before it was kept.",
  }),
  image: z.url().nullable().openapi({
    description:
      "The image of the cart's item when it was ordered; an upload may be deleted since. Null also in orders from before it was kept.",
  }),
  type: z.enum(PRODUCT_TYPES).nullable().openapi({ description: 'Null in orders from before it was kept.' }),
  selected: Selected.openapi({
    description: 'The choices to show, as in the cart; empty in orders from before they were kept.',
  }),
  ships: z.boolean().openapi({ description: 'Whether it is goods to ship; nothing else can be fulfilled.' }),
  fulfilled_quantity: z.int().openapi({ description: 'The quantity in fulfilments that are not cancelled.' }),
  discount: z.number(),
  tax: LineTax,
  tax_rate_percent: z.number().nullable().openapi({
    description: 'The rate of that tax. Null in orders from before it was kept.',
  }),
  downloads: z.array(Download).optional().openapi({
    description:
      'Of a paid order, unless the item or the whole order was refunded. Events of an order of more than 1.9 MB are without them.',
  }),
}).openapi('OrderItem');
