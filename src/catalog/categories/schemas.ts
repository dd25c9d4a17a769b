import { z } from '@hono/zod-openapi';
import { httpsUrl } from '../../kernel/core/uri.ts';
import { id, name, Seo, slug } from '../products/field-schemas.ts';

/** A category to be made; `slug` defaults to the name, `parent_id` to none. */
export const CategoryCreate = z
  .strictObject({
    name,
    slug: slug.optional(),
    parent_id: id.nullable().optional(),
    image_url: httpsUrl.nullable().optional(),
    seo: Seo.nullable().optional(),
  })
  .openapi('CategoryCreate');
export type CategoryCreate = z.infer<typeof CategoryCreate>;

/** Changes to a category: what is named is replaced. */
export const CategoryPatch = CategoryCreate.partial().openapi('CategoryPatch');
export type CategoryPatch = z.infer<typeof CategoryPatch>;

/** A category with everything below it. */
export interface Category {
  id: number;
  name: string;
  slug: string;
  parent_id: number | null;
  image_url: string | null;
  seo?: z.infer<typeof Seo> | undefined;
  children: Category[];
}

/** {@link Category} as it is checked and documented. */
export const Category: z.ZodType<Category> = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    parent_id: z.int().nullable(),
    image_url: z.url().nullable(),
    seo: Seo.optional(),
    children: z
      .lazy(() => z.array(Category))
      .openapi({ type: 'array', items: { $ref: '#/components/schemas/Category' } }),
  })
  .openapi('Category');

/** All categories, each with what is below it. */
export const CategoryTree = z.object({ data: z.array(Category) }).openapi('CategoryTree');
