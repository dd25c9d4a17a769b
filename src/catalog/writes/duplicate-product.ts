import { MAX_SKU_LENGTH } from '../../inventory/index.ts';
import { fail, type Result } from '../../kernel/core/result.ts';
import { randomBase62 } from '../../kernel/crypto/crypto.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { firstOf } from '../../kernel/text/text.ts';
import type { CatalogContext } from '../context.ts';
import { MAX_NAME_LENGTH, MAX_SLUG_LENGTH } from '../limits.ts';
import { loadProduct } from '../products/load-product.ts';
import { derivedOf, type ProductState } from '../products/product-state.ts';
import { type Saved, saveProduct } from './save-product.ts';

/** Ends the SKU and the slug of a copy. */
const COPY = '-copy';
/** Characters that make the SKUs of copied variants unique. */
const RANDOM_LENGTH = 5;

/**
 * Creates an inactive copy of a product, without its stock and barcodes, which belong to the original. Its slug
 * and SKU are made unique.
 */
export async function duplicateProduct(
  ctx: CatalogContext,
  productId: number,
  once: IdempotencyScope,
): Promise<Result<Saved>> {
  const original = await loadProduct(ctx, productId);
  if (!original) return fail('product_not_found');
  const draft = {
    before: null,
    after: copyOf(original.state),
    defaulted: { slug: true, sku: true },
  };
  return saveProduct(ctx, draft, once);
}

const copyOf = (state: ProductState): ProductState => ({
  ...state,
  name: firstOf(`Copy of ${state.name}`, MAX_NAME_LENGTH),
  slug: withEnd(state.slug, COPY, MAX_SLUG_LENGTH),
  sku: withEnd(state.sku, COPY, MAX_SKU_LENGTH),
  status: 'inactive',
  barcode: null,
  stock: derivedOf(state) === 'none' ? 0 : null,
  variants: state.variants.map((variant) => ({
    ...variant,
    id: null,
    stock: 0,
    barcode: null,
    sku: withEnd(variant.sku, `${COPY}-${randomBase62(RANDOM_LENGTH)}`, MAX_SKU_LENGTH),
  })),
  slots: state.slots.map((slot) => ({ ...slot, id: null })),
});

const withEnd = (text: string, end: string, max: number): string =>
  `${firstOf(text, max - end.length).replace(/-$/, '')}${end}`;
