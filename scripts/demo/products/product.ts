/** A variant: its attributes, price and stock. */
export type DemoVariant = readonly [Record<string, string>, number, number];

/** A product of the demo shop: `in` is its category's name, and other products are referenced by SKU. */
export interface DemoProduct {
  readonly sku: string;
  readonly name: string;
  readonly type: 'simple' | 'configurable' | 'virtual' | 'downloadable' | 'grouped' | 'bundled' | 'booking';
  readonly in: string;
  readonly price: number;
  readonly regular_price?: number;
  readonly stock?: number;
  readonly description: string;
  readonly tags?: readonly string[];
  readonly vendor?: string;
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
  readonly variants?: readonly DemoVariant[];
  readonly links?: readonly { title: string; price: number; url: string }[];
  readonly grouped?: Readonly<Record<string, number>>;
  readonly bundle?: readonly {
    title: string;
    required: boolean;
    multiple: boolean;
    items: readonly string[];
  }[];
  /** Weekly booking slots: weekday (0 is Sunday), start and end hour, and capacity. */
  readonly slots?: { weekday: number; from: number; to: number; capacity: number };
}

export const roaster = 'Harbour Roasters';
export const pottery = 'Tidewater Pottery';
export const outfitter = 'Fjell & Co';

/** Returns a product that is counted and shipped. */
export const simple = (
  sku: string,
  name: string,
  category: string,
  price: number,
  stock: number,
  description: string,
) => ({ sku, name, type: 'simple', in: category, price, stock, description }) as const;
