import { z } from '@hono/zod-openapi';
import { cursorFormat } from '../../kernel/core/cursor.ts';

/** What a sitemap lists. */
const KINDS = ['products', 'categories'] as const;
export type SitemapKind = (typeof KINDS)[number];

/** A page continues after the product or category with this id. */
const Position = z.strictObject({ kind: z.enum(KINDS), after: z.int().min(1) });

/** Cursors of the sitemap; each is good for one kind. */
export const sitemapCursor = cursorFormat('sitemap', Position);

/** Query parameters of the sitemap. */
export const SitemapQuery = z
  .object({ kind: z.enum(KINDS), cursor: sitemapCursor.param.optional() })
  .refine(({ kind, cursor }) => cursor === undefined || cursor.kind === kind, {
    path: ['cursor'],
    message: 'must be the next_cursor of a page of the same kind',
  });

/** A page of a sitemap. */
export const Sitemap = z
  .object({
    data: z.array(
      z.object({
        slug: z.string(),
        updated_at: z.iso.datetime().openapi({ description: 'For `<lastmod>`.' }),
      }),
    ),
    meta: z.object({
      next_cursor: z.string().nullable().openapi({ description: 'Null on the last page.' }),
    }),
  })
  .openapi('Sitemap');
export type Sitemap = z.infer<typeof Sitemap>;
