import type { Derived, Policy } from '../../inventory/index.ts';
import type { Details, Prices, ProductType, Seo } from '../tables.ts';

/** A variant as it shall be. `id` null: new; `stock` null: left as it is. */
export interface VariantState {
  readonly id: number | null;
  readonly sku: string;
  readonly prices: Prices;
  readonly stock: number | null;
  readonly attributes: Readonly<Record<string, string>>;
  readonly barcode: string | null;
  readonly image: string | null;
}

/** A booking slot as it shall be; instants in ms. */
export interface SlotState {
  readonly id: number | null;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly capacity: number;
}

/** A whole product as it shall be, amounts in minor units. `stock` null: left as it is. */
export interface ProductState {
  readonly type: ProductType;
  readonly status: 'active' | 'inactive';
  readonly sku: string;
  readonly name: string;
  readonly slug: string;
  readonly prices: Prices;
  readonly regularPrice: number | null;
  readonly description: string | null;
  readonly images: readonly string[];
  readonly seo: Seo | null;
  readonly barcode: string | null;
  readonly tags: readonly string[];
  readonly vendor: string | null;
  readonly taxClass: string | null;
  readonly policy: Policy;
  readonly stock: number | null;
  readonly categoryIds: readonly number[];
  readonly variants: readonly VariantState[];
  readonly details: Details;
  readonly slots: readonly SlotState[];
}

/** How the product's stock follows from other rows; `none` where it has its own. */
export const derivedOf = ({ type }: Pick<ProductState, 'type'>): Derived =>
  type === 'configurable' || type === 'grouped' || type === 'bundled' || type === 'booking' ? type : 'none';
