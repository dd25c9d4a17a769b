import type { Derived, Policy, SlotFields } from '../../inventory/index.ts';
import type { Metadata } from '../../kernel/values/metadata.ts';
import type { Attributes, Details, Prices, ProductType, Sale, Seo } from '../tables.ts';

/** Target state of a variant. A null `id` means a new variant; a null `stock` leaves it unchanged. */
export interface VariantState {
  readonly id: number | null;
  readonly sku: string;
  /** Ordinary prices, without the sale. */
  readonly prices: Prices;
  readonly sale: Sale | null;
  /** In the main currency; null: none of its own. */
  readonly regularPrice: number | null;
  readonly stock: number | null;
  readonly attributes: Readonly<Record<string, string>>;
  readonly barcode: string | null;
  /** Grams; null: the product's. */
  readonly weight: number | null;
  readonly image: string | null;
}

/** Target state of a product. Amounts in minor units; a null `stock` leaves it unchanged. */
export interface ProductState {
  readonly type: ProductType;
  readonly status: 'active' | 'inactive';
  readonly sku: string;
  readonly name: string;
  readonly slug: string;
  /** Ordinary prices, without the sale; for a configurable product, the cheapest variant's. */
  readonly prices: Prices;
  readonly sale: Sale | null;
  readonly regularPrice: number | null;
  readonly description: string | null;
  readonly images: readonly string[];
  /** Alternative texts of some images, by URL. */
  readonly imageAlts: Readonly<Record<string, string>>;
  readonly seo: Seo | null;
  readonly barcode: string | null;
  readonly tags: readonly string[];
  readonly vendor: string | null;
  readonly taxClass: string | null;
  /** Grams; null: not known. */
  readonly weight: number | null;
  readonly attributes: Attributes;
  readonly metadata: Metadata;
  readonly policy: Policy;
  readonly stock: number | null;
  readonly categoryIds: readonly number[];
  readonly variants: readonly VariantState[];
  readonly details: Details;
  readonly slots: readonly SlotFields[];
}

/** Returns how the product's stock is derived; `none` when it has stock of its own. */
export const derivedOf = ({ type }: Pick<ProductState, 'type'>): Derived =>
  type === 'configurable' || type === 'grouped' || type === 'bundled' || type === 'booking' ? type : 'none';
