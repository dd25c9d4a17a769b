import type { itemsBySku } from '../../inventory/index.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import { type Currencies, toNumber } from '../../kernel/values/money.ts';
import { applyPatch } from '../patches/apply-patch.ts';
import type { ProductPatch } from '../products/input-schemas.ts';
import type { StoredProduct } from '../products/load-product.ts';
import { derivedOf, type ProductState } from '../products/product-state.ts';
import { FieldErrors } from '../writes/field-errors.ts';
import type { ProductDraft } from '../writes/save-product.ts';
import { refuseLarge } from '../writes/size-limit.ts';
import type { PricesUpdate } from './price-schemas.ts';

type PricedItem = PricesUpdate['items'][number];
type FoundItem = Awaited<ReturnType<typeof itemsBySku>>[number];

/** An item of the request, its place there, and the product or variant with its SKU. */
export interface LocatedItem {
  readonly nth: number;
  readonly item: PricedItem;
  readonly id: number;
  readonly productId: number;
}

/** Returns the items with what has their SKUs; 422 for SKUs that are unknown, repeated or without a price of their own. */
export function locateItems(
  items: readonly PricedItem[],
  found: readonly FoundItem[],
): Result<LocatedItem[]> {
  const bySku = new Map(found.map((one) => [one.sku, one]));
  const errors: Record<string, string[]> = {};
  const seen = new Set<string>();
  const located = items.flatMap((item, nth): LocatedItem[] => {
    const one = bySku.get(item.sku);
    if (!one) errors[`items.${nth}.sku`] = ['must be a SKU of this catalogue'];
    else if (one.derived !== 'none' && one.derived !== 'booking')
      errors[`items.${nth}.sku`] = ['must not be a SKU whose price is that of variants or members'];
    else if (seen.has(item.sku)) errors[`items.${nth}.sku`] = ['must not be repeated'];
    seen.add(item.sku);
    return one ? [{ nth, item, id: one.id, productId: one.product_id }] : [];
  });
  return Object.keys(errors).length > 0 ? fail('validation_error', { errors }) : ok(located);
}

/** Returns the products with the items' prices, in the order of the items; 422 names each item that is refused. */
export function priceDrafts(
  located: readonly LocatedItem[],
  stored: readonly StoredProduct[],
  money: Currencies,
): Result<ProductDraft[]> {
  const byId = new Map(stored.map((product) => [product.id, product]));
  const errors = new FieldErrors(money);
  const drafts: ProductDraft[] = [];
  for (const [productId, items] of Map.groupBy(located, (one) => one.productId)) {
    const before = byId.get(productId);
    if (!before) continue;
    const after = applyPatch(before.state, patchOf(before.state, items, money), money);
    const refused = after.ok ? refuseLarge(before.state, after.value) : after;
    if (refused) addRefusal(errors, refused, { before: before.state, items });
    else if (after.ok) drafts.push({ before, after: after.value });
  }
  return errors.isEmpty ? ok(drafts) : fail('validation_error', { errors: errors.byField });
}

/** Returns whether all items still have their SKUs: one may have passed to another product since it was looked up. */
export function haveTheirSkus(located: readonly LocatedItem[], stored: readonly StoredProduct[]): boolean {
  const byId = new Map(stored.map(({ id, state }) => [id, state]));
  return located.every(({ item: { sku }, id, productId }) => {
    const state = byId.get(productId);
    if (id === productId) return state?.sku === sku && ownsPrice(state);
    return state?.variants.some((variant) => variant.id === id && variant.sku === sku);
  });
}

const ownsPrice = (state: ProductState): boolean => ['none', 'booking'].includes(derivedOf(state));

/** Returns the patch that sets the items' prices. The other variants of the product stay as they are. */
function patchOf(
  { type, variants }: ProductState,
  items: readonly LocatedItem[],
  { currency }: Currencies,
): ProductPatch {
  if (type !== 'configurable') {
    const { sku: _, ...patch } = items[0]?.item ?? { sku: '' };
    return patch;
  }
  const byId = new Map(items.map(({ id, item }) => [id, item]));
  return {
    variants: variants.map(({ id, attributes, prices }) => {
      const item = id === null ? undefined : byId.get(id);
      return {
        ...(id !== null && { id }),
        attributes,
        price: item?.price ?? toNumber(prices[currency] ?? 0, currency),
        ...(item?.prices !== undefined && { prices: item.prices }),
        ...(item?.regular_price !== undefined && { regular_price: item.regular_price }),
        ...(item?.sale !== undefined && { sale: item.sale }),
      };
    }),
  };
}

/** A product and the items that change its prices. */
interface PricedProduct {
  readonly before: ProductState;
  readonly items: readonly LocatedItem[];
}

/** Adds the errors of a product's patch at the items that they come from. */
function addRefusal(errors: FieldErrors, { failure }: Failed, { before, items }: PricedProduct): void {
  const [first] = items;
  for (const [field, messages] of Object.entries(failure.errors ?? {})) {
    const [, place, rest] = /^variants\.(\d+)\.(.+)$/.exec(field) ?? [];
    const variant = before.variants[Number(place)];
    const own = before.type === 'configurable' ? items.find(({ id }) => id === variant?.id) : first;
    for (const message of messages) {
      if (own) errors.add(`items.${own.nth}.${rest ?? field}`, message);
      else if (first) errors.add(`items.${first.nth}.price`, `${nameOf(field, variant?.sku)} ${message}`);
    }
  }
}

/** Returns what an error of the product as a whole, or of a variant that no item names, is about. */
const nameOf = (field: string, sku: string | undefined): string =>
  sku === undefined ? `${field} of the product` : `${field} (SKU "${sku}") of the product`;
