import type { Product } from '../products/schemas.ts';

type Stated = 'id' | 'sku' | 'name' | 'slug' | 'type' | 'price' | 'stock';

/** Returns a product of the example shop: what is not stated is as a product begins. */
export const product = ({ images = [], ...fields }: Partial<Product> & Pick<Product, Stated>): Product => ({
  description: null,
  currency: 'EUR',
  regular_price: null,
  on_sale: false,
  sale_ends_at: null,
  price_range: { min: fields.price, max: fields.price },
  in_stock: true,
  options: [],
  image: images[0] ?? null,
  images,
  media: images.map((url) => ({ url, alt: null, width: null, height: null })),
  status: 'active',
  created_at: '2026-11-23T09:20:41.086Z',
  updated_at: '2026-11-23T09:20:41.086Z',
  tags: [],
  weight: null,
  attributes: {},
  metadata: {},
  sale: null,
  inventory_policy: 'deny',
  categories: [],
  variants: [],
  ...fields,
});
