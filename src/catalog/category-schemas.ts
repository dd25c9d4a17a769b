import { z } from '@hono/zod-openapi';
import { httpsUrl } from '../kernel/uri.ts';
import { id, name, Seo, slug } from './fields.ts';

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

export const CategoryTree = z.object({ data: z.array(Category) }).openapi('CategoryTree');
