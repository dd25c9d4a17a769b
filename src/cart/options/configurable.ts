import { optionKey, type SellableView } from '../../catalog/index.ts';
import { ownEntry } from '../../kernel/core/records.ts';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { Options, ResolvedOptions } from './offer.ts';

/** Resolves `{"variant_id": 12}` or `{"attributes": {"size": "M"}}` to the one matching variant. */
export function resolveVariant(view: SellableView, options: Options): Result<ResolvedOptions> {
  const { variants, product } = view;
  const id = ownEntry(options, 'variant_id');
  if (id !== undefined && typeof id !== 'number') return invalid('options.variant_id', 'must be a number');
  const byId = variants.filter((variant) => id === undefined || variant.id === id);
  if (id !== undefined && byId.length === 0) {
    return invalid('options.variant_id', `must be a variant of this product: ${variantList(view)}`);
  }
  const attributes = ownEntry(options, 'attributes');
  if (id === undefined && attributes === undefined) {
    return invalid('options.variant_id', `is required unless attributes are given: ${variantList(view)}`);
  }
  const matching = attributes === undefined ? ok(byId) : withAttributes(byId, attributes);
  if (!matching.ok) return matching;
  const [variant, second] = matching.value;
  if (!variant) return invalid('options.attributes', `must match a variant: ${variantList(view)}`);
  if (second) return ambiguous(matching.value);
  const { policy } = product;
  const need = {
    kind: 'item' as const,
    id: variant.id,
    productId: product.id,
    variantId: variant.id,
    quantity: 1,
    available: policy === 'deny' ? variant.stock : null,
  };
  return ok({
    variantId: variant.id,
    sku: variant.sku,
    image: variant.image,
    selected: Object.entries(variant.attributes).map(([name, value]) => ({ name, value })),
    options: { variant_id: variant.id, attributes: variant.attributes },
    prices: variant.prices,
    ordinaryPrices: variant.reducedFrom,
    ships: true,
    weight: variant.weight ?? product.weight ?? 0,
    needs: policy === 'untracked' ? [] : [need],
  });
}

type Variants = SellableView['variants'];

/** Returns the variants that have all of these attributes. Names are compared without case and accents. */
function withAttributes(variants: Variants, attributes: Options[string]): Result<Variants> {
  if (attributes === null || typeof attributes !== 'object' || Array.isArray(attributes)) {
    return invalid('options.attributes', 'must be an object of attribute names and values');
  }
  const given = Object.entries(attributes);
  const wrong = given.find(([, value]) => typeof value !== 'string');
  if (wrong) return invalid(`options.attributes.${wrong[0]}`, 'must be a string');
  const keyed = (entries: typeof given) => entries.map(([name, value]) => [optionKey(name), value] as const);
  const wanted = keyed(given);
  return ok(
    variants.filter((variant) => {
      const own = keyed(Object.entries(variant.attributes));
      return wanted.every(([key, value]) => own.some((one) => one[0] === key && one[1] === value));
    }),
  );
}

/** Returns a failure that names the first attribute in which the variants differ. */
function ambiguous(variants: Variants): Result<never> {
  const all = variants.flatMap(({ attributes }) => Object.entries(attributes));
  for (const [name, values] of Map.groupBy(all, ([name]) => name)) {
    const different = new Set(values.map(([, value]) => value));
    if (different.size > 1) {
      return invalid(`options.attributes.${name}`, `is required: one of ${[...different].join(', ')}`);
    }
  }
  return invalid('options.variant_id', 'is required: several variants have these attributes');
}

/** Lists the first 20 variants for an error message. */
const variantList = ({ variants }: SellableView): string =>
  variants
    .slice(0, 20)
    .map(({ id, attributes }) => `${id} (${Object.values(attributes).join(', ')})`)
    .join('; ');
