import { z } from '@hono/zod-openapi';
import { rawText } from '../../kernel/text/text.ts';
import { type Metadata, MetadataInput, ShownMetadata } from '../../kernel/values/metadata.ts';
import { imageUrl } from '../../media/index.ts';
import { MAX_DESCRIPTION_LENGTH } from '../limits.ts';
import { id, name, Seo, slug } from '../products/field-schemas.ts';

/** Largest place of a category among its siblings that a request may name. */
const MAX_POSITION = 1_000_000;

/**
 * Request body for a new category. `slug` is derived from the name by default; without `parent_id` it is a
 * root.
 */
export const CategoryCreate = z
  .strictObject({
    name,
    slug: slug.optional(),
    parent_id: id.nullable().optional(),
    description: rawText(MAX_DESCRIPTION_LENGTH).nullable().optional().openapi({
      description:
        'The texts of all categories (names, slugs, descriptions, images, SEO texts, metadata) have at most 8 MiB together as JSON: a write that exceeds them is 422, unless its own are at most 400 bytes.',
    }),
    image_url: imageUrl.nullable().optional(),
    seo: Seo.nullable().optional(),
    hidden: z.boolean().optional().openapi({
      description: 'Leaves the category and its descendants out of public reads. Defaults to false.',
    }),
    position: z.int().min(0).max(MAX_POSITION).optional().openapi({
      description:
        'Its place among its siblings, from 0; beyond the last, it comes last. `children` are in this order. Until one of them is placed, siblings are sorted by name in the root order of the Unicode Collation Algorithm (as in English: "Äpfel" between "Apes" and "Bears", punctuation and digits before letters, "10" before "9"), equal names by id; a category that is added to placed ones becomes the last.',
    }),
    metadata: MetadataInput.optional(),
  })
  .openapi('CategoryCreate');
export type CategoryCreate = z.infer<typeof CategoryCreate>;

/** Partial update of a category: fields that are present are replaced. */
export const CategoryPatch = CategoryCreate.partial().openapi('CategoryPatch');
export type CategoryPatch = z.infer<typeof CategoryPatch>;

/** A category with its descendants. `metadata` is for callers with `catalog:write` only. */
export interface Category {
  id: number;
  name: string;
  slug: string;
  parent_id: number | null;
  description: string | null;
  image_url: string | null;
  seo?: z.infer<typeof Seo> | undefined;
  product_count: number;
  hidden: boolean;
  updated_at: string;
  metadata?: Metadata | undefined;
  children: Category[];
}

/** Schema of {@link Category}, for validation and OpenAPI. */
export const Category: z.ZodType<Category> = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    parent_id: z.int().nullable(),
    description: z.string().nullable(),
    image_url: z.url().nullable(),
    seo: Seo.optional(),
    product_count: z.int().openapi({
      description:
        'Active products in the category and its descendants. After a large category was moved or deleted, it follows within seconds.',
    }),
    hidden: z.boolean(),
    updated_at: z.iso.datetime().openapi({ description: 'When the category itself changed last.' }),
    metadata: ShownMetadata.optional().openapi({
      description: 'Only for callers with the scope `catalog:write`.',
    }),
    children: z
      .lazy(() => z.array(Category))
      .openapi({ type: 'array', items: { $ref: '#/components/schemas/Category' } }),
  })
  .openapi('Category');

/** A category as the products in it show it. */
export const ProductCategory = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    parent_id: z.int().nullable(),
    image_url: z.url().nullable(),
    seo: Seo.optional(),
    children: z.array(Category).openapi({ description: 'Always empty: see `GET /v1/categories/{id}`.' }),
  })
  .openapi('ProductCategory');
export type ProductCategory = z.infer<typeof ProductCategory>;

/** Query parameters of category reads. */
export const CategoryQuery = z.object({
  hidden: z
    .enum(['true', 'false'])
    .default('false')
    .transform((hidden) => hidden === 'true')
    .openapi({
      type: 'boolean',
      default: false,
      description: 'Includes hidden categories. Requires the scope `catalog:write`.',
    }),
});

/** All root categories, each with its descendants. */
export const CategoryTree = z.object({ data: z.array(Category) }).openapi('CategoryTree');
export type CategoryTree = z.infer<typeof CategoryTree>;

/** Payload of a `category.updated` event. */
export const CategoryUpdated = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    parent_id: z.int().nullable(),
    description: z.string().nullable(),
    image_url: z.url().nullable(),
    hidden: z.boolean(),
    updated_at: z.iso.datetime(),
    changed: z.array(z.string()).openapi({
      description: 'Names of changed fields (`parent_id`: moved), or `["created"]`, or `["deleted"]`.',
    }),
    former_slug: z.string().optional().openapi({
      description:
        'With `slug` among `changed`: the slug before, to purge and redirect its pages. It finds the category until another one takes it.',
    }),
  })
  .openapi('CategoryUpdated');
export type CategoryUpdated = z.infer<typeof CategoryUpdated>;
