import type { SnapshotLine } from '../../cart/index.ts';
import type { StoredOrder } from '../../orders/index.ts';
import type { CartTotals } from '../../pricing/index.ts';
import { type BuyerDraft, kept, ships } from '../pages/buyer.ts';
import type { SessionRow } from '../tables.ts';
import { totalsFor } from './session-totals.ts';

/** One line of what is bought, amounts in minor units. */
export interface PurchaseLine
  extends Pick<SnapshotLine, 'id' | 'productId' | 'variantId' | 'sku' | 'name' | 'options' | 'quantity'> {
  readonly unitPrice: number;
  readonly subtotal: number;
}

/** What is bought: what a session has frozen, or its order once that is placed. */
export interface Purchase {
  readonly lines: readonly PurchaseLine[];
  readonly totals: Omit<CartTotals, 'lines' | 'shippingTax'>;
  readonly currency: string;
  readonly coupon: string | null;
  /** Where it goes, as far as that is known. */
  readonly country: string | null;
  readonly ships: boolean;
}

/** Returns what a session sells when it goes to this country. */
export function frozenPurchase(session: SessionRow, country: string | null): Purchase {
  const { snapshot } = session;
  const totals = totalsFor(session, country);
  return {
    lines: snapshot.lines.map((line, n) => ({ ...line, subtotal: totals.lines[n]?.subtotal ?? 0 })),
    totals,
    currency: snapshot.currency,
    coupon: snapshot.coupon?.code ?? null,
    country,
    ships: ships(snapshot),
  };
}

/** Returns what a session sells that has ended without an order: nothing. */
export const noPurchase = ({ snapshot }: SessionRow): Purchase => ({
  lines: [],
  totals: { subtotal: 0, discount: 0, shipping: 0, tax: 0, grandTotal: 0, taxIncluded: false },
  currency: snapshot.currency,
  coupon: null,
  country: null,
  ships: false,
});

/** Returns what was ordered; from then on the session itself keeps nothing of it. */
export const orderedPurchase = ({ row, lines }: StoredOrder): Purchase => ({
  lines,
  totals: row,
  currency: row.currency,
  coupon: row.couponCode,
  country: row.shippingAddress?.country ?? null,
  ships: row.shippingAddress?.line1 !== undefined,
});

/** Returns who ordered, as the page shows it. */
export const orderedBy = ({ row }: StoredOrder): BuyerDraft => ({
  ...kept({ ...row.shippingAddress }),
  ...(row.email !== null && { email: row.email }),
});
