/** The pricing input of a cart line: price, and what determines tax, discount and shipping. */
export interface PricedLine {
  readonly productId: number;
  /** The product's categories and all their ancestors. */
  readonly categoryIds: readonly number[];
  /** In minor units of the cart's currency; at least 0. */
  readonly unitPrice: number;
  /** At least 1. */
  readonly quantity: number;
  /** Whether it needs shipping; virtual, downloadable and booking products never do. */
  readonly ships: boolean;
  /** The product's `tax_class`; null means the standard rate. */
  readonly taxClass: string | null;
}

/** Returns unit price times quantity: the API's `items.total`. */
export const lineSubtotal = (line: PricedLine): number => line.unitPrice * line.quantity;
