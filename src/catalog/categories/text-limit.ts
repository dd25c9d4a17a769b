import { sql } from 'drizzle-orm';
import { type Failed, invalid } from '../../kernel/core/result.ts';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { CategoryDetailRow } from '../reads/rows.ts';
import type { CategoryPatch } from './schemas.ts';

/** The most bytes of the texts of all categories of a tenant, which `GET /v1/categories` returns at once. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** Texts of this many bytes fit in every category, even of a tenant with as many as the largest plan allows. */
const SMALL_TEXT_BYTES = 400;

/** The fields that may be long, each named like its column. */
const TEXTS = ['description', 'image_url', 'seo', 'metadata'] as const;

const bytesOf = (value: unknown): number => {
  if (value === undefined || value === null) return 0;
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
};

/**
 * Returns a 422 at the longest text of a write that makes the texts of all categories too long together, or null. Texts
 * that don't grow are never refused. Reads the other categories only for a write of more than a few hundred bytes.
 */
export async function refuseLongTexts(
  { db, tenantId }: TenantDatabase,
  before: CategoryDetailRow | null,
  written: CategoryPatch,
): Promise<Failed | null> {
  const given = TEXTS.filter((field) => written[field] !== undefined);
  const total = (of: CategoryPatch | CategoryDetailRow) =>
    given.reduce((sum, field) => sum + bytesOf(of[field]), 0);
  const bytes = total(written);
  if (bytes <= SMALL_TEXT_BYTES || (before !== null && bytes <= total(before))) return null;
  const lengths = TEXTS.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ');
  const [others] = await rows<{ bytes: number | null }>(
    db,
    sql`SELECT sum(${sql.raw(lengths)}) AS bytes FROM categories
      WHERE tenant_id = ${tenantId} AND id <> ${before?.id ?? 0}`,
  );
  if ((others?.bytes ?? 0) + bytes <= MAX_TEXT_BYTES) return null;
  const [longest = 'description'] = given.toSorted((a, b) => bytesOf(written[b]) - bytesOf(written[a]));
  return invalid(longest, `makes the texts of all categories longer than ${MAX_TEXT_BYTES} bytes`);
}
