import { type SQL, sql } from 'drizzle-orm';
import { MAX_METADATA_KEYS, type MetadataInput } from '../values/metadata.ts';

/**
 * Returns the new value of a column `metadata` as `mergeMetadata` defines it, from its value at the time of the
 * write, so that concurrent writes of other keys are kept.
 */
export function mergedMetadata(input: MetadataInput): SQL {
  if (input === null) return sql`'{}'`;
  const patch = Object.entries(input).map(([key, value]) => [key, value || null]);
  // RFC 7396 removes a key whose value is null.
  return sql`json_patch(metadata, ${JSON.stringify(Object.fromEntries(patch))})`;
}

/** Returns the condition that a row's metadata has at most {@link MAX_METADATA_KEYS} keys after a write of `input`. */
export const metadataFits = (input: MetadataInput): SQL =>
  sql`(SELECT count(*) FROM json_each(${mergedMetadata(input)})) <= ${MAX_METADATA_KEYS}`;
