import { z } from '@hono/zod-openapi';
import { httpsUrl } from '../../kernel/text/uri.ts';
import { id, name, Seo, slug } from '../products/field-schemas.ts';

/**
 * Request body for a new category. `slug` is derived from the name by default; without `parent_id` it is a
 * root.
 */
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

/** Partial update of a category: fields that are present are replaced. */
export const CategoryPatch = CategoryCreate.partial().openapi('CategoryPatch');
export type CategoryPatch = z.infer<typeof CategoryPatch>;

/** A category with its descendants. */
export interface Category {
  id: number;
  name: string;
  slug: string;
  parent_id: number | null;
  image_url: string | null;
  seo?: z.infer<typeof Seo> | undefined;
  children: Category[];
}

/** Schema of {@link Category}, for validation and OpenAPI. */
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

/** All root categories, each with its descendants. */
export const CategoryTree = z.object({ data: z.array(Category) }).openapi('CategoryTree');
