import { MAX_SKU_LENGTH } from '../../inventory/index.ts';
import { slugify } from '../../kernel/core/fold.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';

/**
 * The SKU of what the file gives none: the slug, and a variant's values: `classic-top_small_dark-red`.
 * An underscore never occurs in a slug, so the variant "black" of "shirt" is not the product
 * "shirt-black". What is too long, or loses something as a slug ("5½"), ends in a hash of it all.
 * The same in every run.
 */
export function madeSku(slug: string, values: readonly string[] = []): string {
  const parts = values.map(slugify);
  const plain = [slug, ...parts].join('_');
  const lossless = values.every((value, i) => value.toLowerCase().replace(/\s+/g, '-') === parts[i]);
  if (lossless && plain.length <= MAX_SKU_LENGTH) return plain;
  const tail = `_${sha256([slug, ...values].join('\n')).slice(0, 8)}`;
  return cut(plain, MAX_SKU_LENGTH - tail.length) + tail;
}

/** At most `max` UTF-16 units, never half of a character. */
const cut = (text: string, max: number): string =>
  text
    .slice(0, max)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/[-_]+$/, '');
