/** What an agent names: a product, or one purchasable variant of a product. */
export interface ItemName {
  readonly kind: 'product' | 'variant';
  readonly id: number;
}

/** Returns the protocol's id of a product: `p7`. */
export const productItemId = (id: number): string => `p${id}`;

/**
 * Returns the protocol's id of a purchasable variant: `v12`. A product without variants has one, with the product's
 * own number, since products and variants share one sequence of ids.
 */
export const variantItemId = (id: number): string => `v${id}`;

/** Returns what an id names; null if it can't be one of ours. */
export function readItemId(text: string): ItemName | null {
  const match = /^([pv])([1-9]\d{0,14})$/.exec(text);
  return match ? { kind: match[1] === 'p' ? 'product' : 'variant', id: Number(match[2]) } : null;
}
