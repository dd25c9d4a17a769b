import { MAX_SKU_LENGTH } from '../../inventory/index.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { foldedSlug } from '../../kernel/text/fold.ts';

/**
 * Derives a SKU for a product or variant without one, from slug and option values:
 * `classic-top_small_dark-red`. Slugs have no underscore, so the variant "black" of "shirt" differs from the
 * product "shirt-black". A SKU that is too long or lossy ("5½") ends in a hash of all parts. Deterministic.
 */
export function deriveSku(slug: string, values: readonly string[] = []): string {
  const parts = values.map(foldedSlug);
  const plain = [slug, ...parts].join('_');
  const lossless = values.every((value, i) => value.toLowerCase().replace(/\s+/g, '-') === parts[i]);
  if (lossless && plain.length <= MAX_SKU_LENGTH) return plain;
  const tail = `_${sha256([slug, ...values].join('\n')).slice(0, 8)}`;
  return cut(plain, MAX_SKU_LENGTH - tail.length) + tail;
}

/** Truncates to `max` UTF-16 units without splitting a surrogate pair. */
const cut = (text: string, max: number): string =>
  text
    .slice(0, max)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/[-_]+$/, '');
