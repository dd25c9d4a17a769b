import { z } from '@hono/zod-openapi';
import { cursorFormat } from '../../kernel/core/cursor.ts';
import { limitUpTo } from '../../kernel/core/pagination.ts';
import { rawText } from '../../kernel/text/text.ts';
import { ATTRIBUTES } from './google-item.ts';
import { FEED_FORMATS } from './tables.ts';

const format = z.enum(FEED_FORMATS).openapi({
  description: '`xml`: RSS 2.0 with the namespace `g`. `csv`: RFC 4180, with a header. `jsonl`: JSON Lines.',
});

/** A product feed. */
export const ProductFeed = z
  .object({
    id: z.string().openapi({ example: 'feed_9sKc2VtY4mXqLw7ZbR3nHd5P' }),
    url: z.url().openapi({
      description:
        'The signed address of the file. Whoever has it can read the file until the feed is deleted.',
    }),
    format,
    created_at: z.iso.datetime(),
  })
  .openapi('ProductFeed');
export type ProductFeed = z.infer<typeof ProductFeed>;

/** All feeds of a tenant. */
export const ProductFeedList = z.object({ data: z.array(ProductFeed) }).openapi('ProductFeedList');

/** A new feed. */
export const FeedCreate = z.strictObject({ format }).openapi('ProductFeedCreate');
export type FeedCreate = z.infer<typeof FeedCreate>;

/** The path parameters of a feed. */
export const FeedParams = z.object({ id: rawText(64, { least: 1 }) });

/** Cursors of the list of problems: the id of the last SKU that was looked at. */
export const problemCursor = cursorFormat('feed-problems', z.int().min(1));

/** The query parameters of the list of problems. */
export const ProblemQuery = z.object({
  limit: limitUpTo(100, 20),
  cursor: problemCursor.param.optional(),
});
export type ProblemQuery = z.infer<typeof ProblemQuery>;

/** An SKU that the feed leaves out. */
export const FeedProblem = z
  .object({
    product_id: z.int(),
    variant_id: z.int().nullable(),
    sku: z.string(),
    name: z.string(),
    problems: z.array(
      z.object({
        attribute: z
          .enum([...ATTRIBUTES, 'type'])
          .openapi({ description: "Google's name of the attribute." }),
        reason: z.string(),
      }),
    ),
  })
  .openapi('FeedProblem');
export type FeedProblem = z.infer<typeof FeedProblem>;

/** A part of the list of problems. */
export const FeedProblemList = z
  .object({
    data: z.array(FeedProblem),
    meta: z.object({
      next_cursor: z.string().nullable().openapi({
        description:
          'The `cursor` that continues the list, null at its end. A call looks at 5,000 SKUs at most, so that it can have fewer entries than `limit` before the end, or none.',
      }),
    }),
  })
  .openapi('FeedProblemList');

/** The SKUs among which a preview looks for items. */
export const MAX_PREVIEW_SKUS = 50;

/** The query parameters of a preview. */
export const PreviewQuery = z.object({ limit: limitUpTo(20, 5) });

/** The attributes of an item by Google's names. */
const previewedItem = z
  .partialRecord(z.enum(ATTRIBUTES), z.union([z.string(), z.array(z.string())]))
  .openapi({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    description: "The item's attributes by Google's names, as the file has them.",
  });

/** The first items of a feed. */
export const FeedPreview = z
  .object({
    data: z.array(
      z.object({ product_id: z.int(), variant_id: z.int().nullable(), sku: z.string(), item: previewedItem }),
    ),
  })
  .openapi('FeedPreview');
export type FeedPreview = z.infer<typeof FeedPreview>;
