import { z } from '@hono/zod-openapi';
import { invalid, ok, type Result } from '../core/result.ts';
import { line, rawText } from '../text/text.ts';

/** Largest number of metadata keys of a resource, and largest lengths of a key and a value in characters. */
export const MAX_METADATA_KEYS = 50;
const MAX_METADATA_KEY_LENGTH = 40;
const MAX_METADATA_VALUE_LENGTH = 500;

const TOO_MANY_KEYS = `must have at most ${MAX_METADATA_KEYS} keys`;

/** Texts that a tenant's own systems keep with a resource, by key. Shoppers never see them. */
export type Metadata = Readonly<Record<string, string>>;

/** Schema of metadata in a response. */
export const ShownMetadata = z.record(z.string(), z.string());

/** Schema of metadata in a request: keys to set, keys to remove (null or empty), or null to remove all. */
export const MetadataInput = z
  .record(line(MAX_METADATA_KEY_LENGTH), rawText(MAX_METADATA_VALUE_LENGTH).nullable())
  .refine((map) => Object.keys(map).length <= MAX_METADATA_KEYS, TOO_MANY_KEYS)
  .openapi({
    maxProperties: MAX_METADATA_KEYS,
    description:
      'Texts of your own systems by key. Keys that are left out stay as they are; null or an empty text removes a key, and null in place of the object removes all.',
  })
  .nullable();
export type MetadataInput = z.infer<typeof MetadataInput>;

/** Returns the metadata that results from `input`; `before` if it is omitted. Fails with 422 on `metadata`. */
export function mergeMetadata(before: Metadata, input: MetadataInput | undefined): Result<Metadata> {
  if (input === undefined) return ok(before);
  const merged = Object.entries({ ...(input && before), ...input }).flatMap(([key, value]) =>
    value ? [[key, value] as const] : [],
  );
  return merged.length > MAX_METADATA_KEYS
    ? invalid('metadata', TOO_MANY_KEYS)
    : ok(Object.fromEntries(merged));
}
