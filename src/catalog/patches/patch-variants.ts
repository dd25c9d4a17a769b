import type { Currencies } from '../../kernel/values/money.ts';
import type { ProductPatch } from '../products/input-schemas.ts';
import type { VariantState } from '../products/product-state.ts';
import { alignOptionNames } from '../products/variant-options.ts';
import { reductionsBySale } from '../sales/displayed-prices.ts';
import { patchRegularPrice } from '../sales/patch-regular-price.ts';
import { patchSale } from '../sales/patch-sale.ts';
import { asSetDuringSale, salePriceOf } from '../sales/sent-back-prices.ts';
import { firstDefined, otherPrices, type Patch } from './patch.ts';

/** Returns the variants of a configurable product, matched by id, else by SKU; omitted ones are removed. */
export function patchVariants(patch: Patch): VariantState[] {
  const { before, input, errors } = patch;
  const known = before?.variants ?? [];
  if ((input.variants ?? known).length === 0)
    errors.add('variants', 'must have at least one variant for a configurable product');
  if (!input.variants) return known.map((variant) => ({ ...variant, stock: null }));
  const ids = input.variants.map(({ id }) => id);
  const named = new Set(ids);
  const variants = alignOptionNames(input.variants).map((variant, n) => {
    const old = known.find(({ id, sku }) =>
      variant.id === undefined ? !named.has(id ?? 0) && sku === variant.sku : id === variant.id,
    );
    return patchVariant(patch, old, { ...variant, field: `variants.${n}.` });
  });
  const skus = variants.map(({ sku }) => sku);
  const attributeKeys = variants.map(({ attributes }) => JSON.stringify(Object.entries(attributes).sort()));
  for (const [field, keys] of Object.entries({ id: ids, sku: skus, attributes: attributeKeys })) {
    errors.repeated(keys, (n) => `variants.${n}.${field}`, 'must be unique among the variants');
  }
  return variants;
}

/** A variant of the body, and the prefix of its fields in errors. */
type VariantInput = NonNullable<ProductPatch['variants']>[number] & { readonly field: string };

/** Returns a variant: `old` with the input applied, or a new one. */
function patchVariant(
  { money, errors }: Patch,
  old: VariantState | undefined,
  body: VariantInput,
): VariantState {
  const input = asSet(body, old, money);
  const { field } = input;
  if (input.id !== undefined && !old) errors.add(`${field}id`, 'must be a variant of this product');
  const sku = input.sku ?? old?.sku;
  if (sku === undefined) errors.add(`${field}sku`, 'is required for a new variant');
  const prices = {
    ...(input.prices === undefined ? otherPrices(old?.prices, money) : {}),
    ...errors.prices(field, input.price, input.prices ?? {}),
  };
  const [before, stored] = [old?.sale ?? null, old?.prices];
  return {
    id: old?.id ?? null,
    sku: sku ?? '',
    prices,
    sale: patchSale({ errors, money, field, input: input.sale, before, stored, prices }),
    regularPrice: patchRegularPrice({
      errors,
      money,
      field,
      input: input.regular_price,
      before: old,
      prices,
    }),
    stock: input.stock ?? (old ? null : 0),
    attributes: input.attributes,
    barcode: firstDefined(input.barcode, old?.barcode, null),
    weight: firstDefined(input.weight, old?.weight, null),
    image: firstDefined(input.image, old?.image, null),
  };
}

/**
 * Returns an input with the ordinary and the regular price that it sets. A variant as responses show it during a sale has
 * the sale's price in `price` and the ordinary one in `regular_price`. Without `sale`, which only editors see, `on_sale`
 * means one unless the variant has a regular price.
 */
function asSet(input: VariantInput, old: VariantState | undefined, money: Currencies): VariantInput {
  const { price, regular_price } = input;
  if (input.on_sale !== true || typeof regular_price !== 'number') return input;
  const isSalePrice = salePriceOf(input, money) === price;
  const isSaleRunning = old !== undefined && reductionsBySale(old)[money.currency] !== undefined;
  const isUnknown = input.sale === undefined && (old?.regularPrice ?? null) === null;
  if (!isSalePrice && !isSaleRunning && !isUnknown) return input;
  return { ...input, ...asSetDuringSale({ price, regular_price }, { old, money }) };
}
