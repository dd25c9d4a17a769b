/** A cart line as pricing sees it: what it costs, and what decides about tax, coupon and shipping. */
export interface PricedLine {
  readonly productId: number;
  /** The product's categories with all their ancestors. */
  readonly categoryIds: readonly number[];
  /** Minor units of the cart's currency, 0 or more. */
  readonly unitPrice: number;
  /** 1 or more. */
  readonly quantity: number;
  /** Whether it has to be sent to somebody; virtual, downloadable and booked things never are. */
  readonly ships: boolean;
  /** The product's `tax_class`; `null` is the standard rate. */
  readonly taxClass: string | null;
}

/** Unit price times quantity: what the wire calls the item's `total`. */
export const lineSubtotal = (line: PricedLine): number => line.unitPrice * line.quantity;
