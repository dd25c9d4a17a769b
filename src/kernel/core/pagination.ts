import { z } from '@hono/zod-openapi';

/** An integer in a query string or path: digits only, so "1e3", " 1" and "0x10" are invalid. */
const digits = z.string().regex(/^\d{1,15}$/, 'must be a whole number');

/** An id in a path or query: a positive integer. */
export const idParam = digits
  .transform(Number)
  .pipe(z.number().int().min(1, 'must be at least 1'))
  .openapi({ type: 'integer', minimum: 1 });

/** The `page` and `limit` of a list. Values out of range are a 422, never clamped. */
export const pageQuery = {
  page: digits
    .transform(Number)
    .pipe(z.number().min(1, 'must be at least 1').max(1_000_000, 'must be at most 1000000'))
    .default(1)
    .openapi({ type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 }),
  limit: digits
    .transform(Number)
    .pipe(z.number().min(1, 'must be at least 1').max(100, 'must be at most 100'))
    .default(20)
    .openapi({ type: 'integer', minimum: 1, maximum: 100, default: 20 }),
};

/** A page of a list; `page` begins at 1. */
export interface Page {
  readonly page: number;
  readonly limit: number;
}

/** Schema of the `meta` of a list response. */
export const PageMeta = z
  .object({ page: z.int(), limit: z.int(), total: z.int(), total_pages: z.int() })
  .openapi('PageMeta');

/** Returns the number of rows before the page. */
export const offset = ({ page, limit }: Page): number => (page - 1) * limit;

/** Returns the `meta` of a page of `total` rows; `total_pages` is 0 for an empty list. */
export const pageMeta = ({ page, limit }: Page, total: number): z.infer<typeof PageMeta> => ({
  page,
  limit,
  total,
  total_pages: Math.ceil(total / limit),
});
