import { z } from '@hono/zod-openapi';
import { PageMeta } from '../../kernel/core/pagination.ts';

/** A value of a facet, as the filter of the same name takes it, and the number of products that have it. */
const FacetValue = z.object({ value: z.string(), label: z.string(), count: z.int() }).openapi('FacetValue');

const values = z.array(FacetValue).optional();

/** The facets of a list, by the names that were asked for. */
export const Facets = z
  .object({
    price: z
      .object({ min: z.number().nullable(), max: z.number().nullable() })
      .optional()
      .openapi({ description: 'The lowest and highest price; null when nothing matches.' }),
    in_stock: values,
    type: values,
    vendor: values,
    tag: values,
    category: values,
  })
  .catchall(z.array(FacetValue))
  .openapi('Facets');
export type Facets = z.infer<typeof Facets>;

/** Schema of the `meta` of a product list. */
export const ProductListMeta = PageMeta.extend({
  facets: Facets.optional().openapi({ description: 'The facets that the parameter `facets` requests.' }),
}).openapi('ProductListMeta');
