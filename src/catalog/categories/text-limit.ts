import { sql } from 'drizzle-orm';
import { type Failed, fail, invalid } from '../../kernel/core/result.ts';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { slugify } from '../../kernel/text/fold.ts';
import { firstOf } from '../../kernel/text/text.ts';
import type { CategoryDetailRow } from '../reads/rows.ts';
import type { CategoryPatch } from './schemas.ts';

/** The most bytes of the texts of all categories of a tenant, which `GET /v1/categories` returns at once. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** Texts of this many bytes fit in every category, even of a tenant with as many as the largest plan allows. */
const SMALL_TEXT_BYTES = 400;
/** Longest slug, in characters, that is derived from a name: it leaves space for the id. */
const MAX_DERIVED_SLUG_LENGTH = 200;

/** The fields that may be long, each named like its column. */
const STRINGS = ['name', 'slug', 'description', 'image_url'] as const;
/** Those of them that are stored as JSON. */
const OBJECTS = ['seo', 'metadata'] as const;
const TEXTS = [...STRINGS, ...OBJECTS] as const;
type TextName = (typeof TEXTS)[number];

const isObject = (field: TextName): boolean => OBJECTS.some((name) => name === field);

/** Returns the bytes of a field in a response: of its JSON. */
function bytesOf(of: CategoryPatch | CategoryDetailRow, field: TextName): number {
  const value = of[field];
  if (value === undefined || value === null) return 0;
  const isStored = isObject(field) && typeof value === 'string';
  return Buffer.byteLength(isStored ? value : JSON.stringify(value));
}

/** SQL for the bytes of a category's texts in a response. */
const STORED_BYTES = sql.raw(
  [
    ...STRINGS.map((column) => `iif(${column} IS NULL, 0, octet_length(json_quote(${column})))`),
    ...OBJECTS.map((column) => `coalesce(octet_length(${column}), 0)`),
  ].join(' + '),
);

/** Returns the slug that is derived from a category's name, where no other category has it. */
export const derivedSlug = (name: string): string =>
  firstOf(slugify(name), MAX_DERIVED_SLUG_LENGTH).replace(/-$/, '') || 'category';

/** Returns whether texts of so many bytes are too long with those of all categories but `except`. */
async function exceedLimit(
  { db, tenantId }: TenantDatabase,
  { bytes, except }: { readonly bytes: number; readonly except: number },
): Promise<boolean> {
  const [others] = await rows<{ bytes: number | null }>(
    db,
    sql`SELECT sum(${STORED_BYTES}) AS bytes FROM categories WHERE tenant_id = ${tenantId} AND id <> ${except}`,
  );
  return (others?.bytes ?? 0) + bytes > MAX_TEXT_BYTES;
}

/**
 * Returns a 422 at the longest text of a write that makes the texts of all categories too long together, or null. Texts
 * that don't grow are never refused. Reads the other categories only for a write of more than a few hundred bytes.
 */
export async function refuseLongTexts(
  ctx: TenantDatabase,
  before: CategoryDetailRow | null,
  written: CategoryPatch,
): Promise<Failed | null> {
  const given = TEXTS.filter((field) => written[field] !== undefined);
  const total = (of: CategoryPatch | CategoryDetailRow) =>
    given.reduce((sum, field) => sum + bytesOf(of, field), 0);
  const bytes = total(written);
  if (bytes <= SMALL_TEXT_BYTES || (before !== null && bytes <= total(before))) return null;
  if (!(await exceedLimit(ctx, { bytes, except: before?.id ?? 0 }))) return null;
  const [longest = 'name'] = given.toSorted((a, b) => bytesOf(written, b) - bytesOf(written, a));
  return invalid(longest, `makes the texts of all categories longer than ${MAX_TEXT_BYTES} bytes`);
}

/**
 * Returns `quota_exceeded` if new categories with these names, all at once, would make the texts of all categories too
 * long together, or null.
 */
export async function refuseLongNames(ctx: TenantDatabase, names: readonly string[]): Promise<Failed | null> {
  const lengths = names.map((name) => {
    const category = { name, slug: derivedSlug(name) };
    return bytesOf(category, 'name') + bytesOf(category, 'slug');
  });
  const bytes = lengths.reduce((sum, length) => sum + length, 0);
  if (Math.max(0, ...lengths) <= SMALL_TEXT_BYTES || !(await exceedLimit(ctx, { bytes, except: 0 })))
    return null;
  const message = `The texts of all categories would be longer than ${MAX_TEXT_BYTES} bytes.`;
  return fail('quota_exceeded', { message });
}
