import { z } from '@hono/zod-openapi';
import { rawText } from './text.ts';

/** The most keys of metadata, and the longest key and value in characters. */
const MAX_METADATA_KEYS = 50;
const MAX_METADATA_KEY_LENGTH = 40;
const MAX_METADATA_VALUE_LENGTH = 500;

/** Free key-value pairs that a tenant attaches to a resource, such as an id of another system. */
export const Metadata = z
  .record(rawText(MAX_METADATA_KEY_LENGTH, { least: 1 }), rawText(MAX_METADATA_VALUE_LENGTH))
  .refine(
    (pairs) => Object.keys(pairs).length <= MAX_METADATA_KEYS,
    `must have at most ${MAX_METADATA_KEYS} keys`,
  )
  .openapi('Metadata', {
    maxProperties: MAX_METADATA_KEYS,
    description: `At most ${MAX_METADATA_KEYS} keys of ${MAX_METADATA_KEY_LENGTH} characters, with texts of ${MAX_METADATA_VALUE_LENGTH}. A write replaces them all.`,
  });
export type Metadata = z.infer<typeof Metadata>;
