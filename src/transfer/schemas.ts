import { z } from '@hono/zod-openapi';
import { DAY, now } from '../kernel/core/clock.ts';
import { cursorFormat } from '../kernel/core/cursor.ts';
import { FIRST_EU_TENANT_ID } from '../kernel/data/jurisdiction.ts';
import { parseJson } from '../kernel/text/json-text.ts';
import { rawText } from '../kernel/text/text.ts';
import { PLAN_NAMES, Settings, SlugParam } from '../tenants/index.ts';
import { EXPORT_PARTS, TRANSFERRED_TABLES } from './transferred-tables.ts';

/** The names of the kinds of records: the tables, the tenant's own row, and the content of carts. */
const RECORD_TABLES = ['tenants', ...TRANSFERRED_TABLES.map(({ name }) => name), 'carts'] as const;

/** The most records of one import call. */
const MAX_RECORDS = 100;
/**
 * The largest body of one import call. A stored row has at most 2 MB; a cart's 1 MiB of lines is four times as long, as
 * JSON within JSON, and its history comes on top.
 */
export const MAX_IMPORT_BYTES = 8 * 1024 * 1024;

const Value = z.union([z.string(), z.number(), z.null()]);

/** One row of a tenant, without the tenant's id; or one cart. */
export const TransferRecord = z
  .object({
    table: z
      .enum(RECORD_TABLES)
      .openapi({ description: 'The table, or `carts` for the content of one cart.' }),
    row: z
      .record(z.string(), Value)
      .openapi({ description: 'The columns as they are stored. Secrets are sealed under the master key.' }),
  })
  .openapi('TransferRecord');
export type TransferRecord = z.infer<typeof TransferRecord>;

const count = z.int().min(0);
const json = <Schema extends z.ZodType>(schema: Schema) =>
  z.string().refine((text) => schema.safeParse(parseJson(text)).success, 'must be JSON of the stored form');

/** How many ids of its jurisdiction an imported tenant leaves to new ones, at least. */
const FREE_TENANT_IDS = 100_000_000;
const TenantId = z
  .int()
  .min(1)
  .max(2 * FIRST_EU_TENANT_ID - FREE_TENANT_IDS)
  .refine((id) => id >= FIRST_EU_TENANT_ID || id < FIRST_EU_TENANT_ID - FREE_TENANT_IDS);

/** A version or an instant (ms) of the tenant's clock. Both follow the time, and are hardly ahead of it. */
const tick = count.refine((at) => at <= now() + DAY);

/** The tenant's own row: the one that every request of the tenant reads, so that it alone is checked in depth. */
export const TenantsRow = z.strictObject({
  id: TenantId,
  slug: SlugParam.shape.slug,
  name: z.string(),
  currency: z.string().length(3),
  currencies: json(z.array(z.string().length(3)).min(1)),
  plan: z.enum(PLAN_NAMES),
  status: z.enum(['active', 'suspended']),
  settings: json(Settings),
  catalog_version: tick,
  stock_moved_at: count.nullable(),
  clock: tick,
  created_at: count,
  updated_at: count,
});

/** What an export was made with. */
export const TransferHeader = z
  .object({
    format: z.literal(1),
    schema: rawText(200).openapi({ description: 'The last migration of the main database.' }),
    keys: z.record(z.string().regex(/^[1-9]$/), rawText(64)).openapi({
      description: 'A fingerprint of each master key, by version. It says nothing about the key.',
    }),
  })
  .openapi('TransferHeader');
export type TransferHeader = z.infer<typeof TransferHeader>;

/**
 * The longest cursor in characters. Some contain an attribute's value: folded, one of its 255 characters may be 18.
 */
const MAX_EXPORT_CURSOR_LENGTH = 15_000;

/** The position of an export: the number of the part, and the key of the last row in it. */
export const exportCursor = cursorFormat(
  'export',
  z
    .tuple([z.int().min(0), z.array(Value)])
    .refine(([part, after]) => after.length === 0 || after.length === EXPORT_PARTS[part]?.key.length),
  MAX_EXPORT_CURSOR_LENGTH,
);
/** Where an export continues. */
export type ExportPosition = readonly [part: number, after: readonly (string | number | null)[]];

export const ExportQuery = z.object({ cursor: exportCursor.param.optional() });

export const ExportPage = z
  .object({
    header: TransferHeader,
    data: z.array(TransferRecord),
    meta: z.object({ next_cursor: z.string().nullable() }),
  })
  .openapi('TenantExport');

export const ImportBody = z
  .strictObject({
    header: TransferHeader,
    records: z.array(TransferRecord).max(MAX_RECORDS),
  })
  .openapi('TenantImport');

export const ImportAnswer = z
  .object({
    written: z.int(),
    unreadable_keys: z.array(z.string()).openapi({
      description:
        "Versions of master keys that this deployment lacks, or has others of. What was sealed or signed under them can't be used here: secrets have to be set again, tokens rotated.",
    }),
  })
  .openapi('TenantImported');

export const MediaParams = SlugParam.extend({
  hash: rawText(64, { pattern: [/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case'] }).openapi({
    description: 'The SHA-256 of the file, in hex.',
  }),
});
