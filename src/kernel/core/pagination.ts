import { z } from '@hono/zod-openapi';
import { COMMA_LIST } from '../openapi/comma-list.ts';
import { iso } from './clock.ts';
import { cursorFormat } from './cursor.ts';
import { isDistinct } from './lists.ts';

/** An integer in a query string or path: digits and a sign; "1e3", " 1" and "0x10" are invalid. Its bounds follow. */
const digits = z.string().regex(/^-?\d{1,20}$/, 'must be a whole number');

/** An id in a path or query: a positive integer. */
export const idParam = digits
  .transform(Number)
  .pipe(z.number().int().min(1, 'must be at least 1'))
  .openapi({ type: 'integer', minimum: 1 });

/** Largest number of ids in a query. */
export const MAX_IDS = 100;

const NOT_IDS = `must be 1 to ${MAX_IDS} ids, each once, separated by commas`;

/** Returns the schema of 1 to {@link MAX_IDS} ids in a query, each once, separated by commas. */
export const idList = (description: string) =>
  z
    .string()
    .refine((text) => /^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/.test(text), { message: NOT_IDS, abort: true })
    .transform((text) => text.split(',').map(Number))
    .refine((ids) => ids.length <= MAX_IDS && isDistinct(ids), NOT_IDS)
    .openapi({
      ...COMMA_LIST,
      type: 'string',
      pattern: '^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,99}$',
      example: '7,3,12',
      description: `${description} 1 to ${MAX_IDS} ids, each once, separated by commas.`,
    });

/** Returns the schema of a number of rows in a query: from 1 to `most`. */
export const limitUpTo = (most: number, byDefault: number) =>
  digits
    .transform(Number)
    .pipe(z.number().min(1, 'must be at least 1').max(most, `must be at most ${most}`))
    .default(byDefault)
    .openapi({ type: 'integer', minimum: 1, maximum: most, default: byDefault });

/** The `page` and `limit` of a list. Values out of range are a 422, never clamped. */
const pageQuery = {
  page: digits
    .transform(Number)
    .pipe(z.number().min(1, 'must be at least 1').max(1_000_000, 'must be at most 1000000'))
    .default(1)
    .openapi({ type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 }),
  limit: limitUpTo(100, 20),
};

/** A page of a list; `page` begins at 1. */
export interface Page {
  readonly page: number;
  readonly limit: number;
}

/** Schema of the `meta` of a list response. */
export const PageMeta = z
  .object({
    page: z.int(),
    limit: z.int(),
    total: z.int(),
    total_pages: z.int(),
    next_cursor: z.string().nullable().openapi({
      description: 'The `cursor` of the next page, to use in place of `page`; null at the end.',
    }),
  })
  .openapi('PageMeta');

/** Returns the number of rows before the page. */
const offset = ({ page, limit }: Page): number => (page - 1) * limit;

/** Returns the `meta` of a page of `total` rows; `total_pages` is 0 for an empty list. */
export const pageMeta = (
  { page, limit }: Page,
  total: number,
  next_cursor: string | null = null,
): z.infer<typeof PageMeta> => ({
  page,
  limit,
  total,
  total_pages: Math.ceil(total / limit),
  next_cursor,
});

/** Schema of the `meta` of a list that can be read by its changes. */
export const ChangesMeta = PageMeta.extend({
  next_updated_since: z.iso.datetime().nullable().openapi({
    description:
      'On the last page of a list with `updated_since` in the order `updated`: pass it as `updated_since` for the next changes. Else null.',
  }),
});

/** Schema of an instant (ms) in a cursor: one that can be written as a date (ECMA-262, time values). */
export const cursorInstant = z.int().min(0).max(8_640_000_000_000_000);

/** What a page of changes follows (ms): `updated_since`, and the change that its cursor names. */
interface ChangesAfter {
  /** Undefined where the list is not one of changes, in their order. */
  readonly since: number | undefined;
  readonly cursor: number | undefined;
}

/** Returns the `meta` of a page whose last row is `last`. */
export function changesMeta(
  meta: z.infer<typeof PageMeta>,
  { since, cursor }: ChangesAfter,
  last: { readonly updated_at: string } | undefined,
): z.infer<typeof ChangesMeta> {
  const isLast = since !== undefined && meta.next_cursor === null;
  // A page may be empty because what followed its cursor is deleted.
  return { ...meta, next_updated_since: isLast ? (last?.updated_at ?? iso(cursor ?? since)) : null };
}

/** The part of a list that a request asks for: a page by its number, or what follows `after`. */
export interface ListPage<Key> extends Page {
  /** The sort key of the last row of the page before; null for a page by its number. */
  readonly after: Key | null;
  /** The total of the first page, if the cursor carries it, so that the rows are not counted again. */
  readonly counted?: number | undefined;
}

/** Returns the number of rows to skip: none when the page is given by a cursor. */
export const rowsBefore = (page: ListPage<unknown>): number => (page.after === null ? offset(page) : 0);

/** Returns the query for the total, or nothing if the cursor of a page carries it. */
export const unlessCounted = <Query>(
  { counted }: Pick<ListPage<unknown>, 'counted'>,
  query: Query,
): { readonly counted?: Query } => (counted === undefined ? { counted: query } : {});

/** Returns the total: the one that the cursor of a page carries, or what the query of {@link unlessCounted} found. */
export const totalIn = (
  page: Pick<ListPage<unknown>, 'counted'>,
  counted: readonly { readonly total: number }[] | undefined,
): number => page.counted ?? counted?.[0]?.total ?? 0;

/** The rows of a page, and the `meta` of the response. */
interface CutPage<Row> {
  readonly rows: readonly Row[];
  readonly meta: z.infer<typeof PageMeta>;
}

/** How rows are cut to a page. */
interface Cut<Row, Key> {
  readonly total: number;
  readonly key: (row: Row) => Key;
  /** The number of rows with those that were not read, because the page would be too large. */
  readonly found?: number;
  /** Whether the next pages have this total: where counting takes reading all rows. */
  readonly carriesTotal?: boolean;
}

/**
 * Declares a list that is read by `page` or by `cursor`. A cursor holds the sort key of the last row of its
 * page and the number of the next one, so that with writes going on each row that stays is read exactly once.
 * `list` is unique; `key` is the schema of the sort key.
 */
export function listPages<Key>(list: string, key: z.ZodType<Key>) {
  const format = cursorFormat(list, z.tuple([z.int().min(2), key, z.int().min(0).optional()]));
  return {
    /** The query parameters. The router refuses `cursor` together with `page`. */
    query: { ...pageQuery, cursor: format.param.optional() },
    /** Returns the cursor of page `page`, which follows the row with this key. */
    cursor: (page: number, after: Key): string => format.encode([page, after]),
    /** Returns the page that a query asks for. */
    pageOf: ({
      page,
      limit,
      cursor,
    }: Page & { readonly cursor?: [number, Key, (number | undefined)?] | undefined }): ListPage<Key> =>
      cursor
        ? { page: cursor[0], limit, after: cursor[1], counted: cursor[2] }
        : { page, limit, after: null },
    /** Cuts up to `limit + 1` rows to the page; an extra row means that there is a next one. */
    cut<Row>(
      rows: readonly Row[],
      page: Page,
      { total, key, found = rows.length, carriesTotal = false }: Cut<Row, Key>,
    ): CutPage<Row> {
      const shown = rows.slice(0, page.limit);
      const last = shown.at(-1);
      const more = found > shown.length && last !== undefined;
      const counted: [number?] = carriesTotal ? [total] : [];
      const next_cursor = more ? format.encode([page.page + 1, key(last), ...counted]) : null;
      return { rows: shown, meta: pageMeta(page, total, next_cursor) };
    },
  };
}
