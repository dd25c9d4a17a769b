import type { Example } from '../../kernel/openapi/example.ts';
import type { ProductPatch } from '../products/input-schemas.ts';
import {
  type IdParams,
  type ProductListQuery,
  type ProductQuery,
  productPages,
  type RelatedQuery,
  type SlugParams,
} from '../products/query-schemas.ts';
import type {
  Product,
  ProductList,
  ProductListItem,
  ProductUpdated,
  RelatedProducts,
} from '../products/schemas.ts';
import { espresso, espressoSet, jersey, routes } from './product-types.ts';

/** Returns a product as lists without `include` show it. */
function listed(product: Product, changed: Partial<ProductListItem> = {}): ProductListItem {
  const { id, sku, name, slug, description, type, status, created_at } = product;
  const { price, currency, regular_price, on_sale, sale_ends_at, price_range, in_stock, stock } = product;
  const { options, image, images, media } = product;
  return {
    id,
    sku,
    name,
    slug,
    description,
    type,
    status,
    created_at,
    price,
    currency,
    regular_price,
    on_sale,
    sale_ends_at,
    price_range,
    in_stock,
    stock,
    options,
    image,
    images,
    media,
    ...changed,
  };
}

/** Returns what the example shop's search finds for "espresso". */
export const espressoHits = (): ProductListItem[] => [
  listed(espressoSet(), { stock: 232 }),
  listed(espresso(), { price: 8.9, price_range: { min: 8.9, max: 8.9 }, stock: 192 }),
];

/** The example shop's event of a changed product. */
export const espressoUpdated = (): ProductUpdated => {
  const { media: _, ...fields } = listed(espresso(), {
    price: 8.9,
    price_range: { min: 8.9, max: 8.9 },
    stock: 144,
  });
  return { ...fields, category_ids: [1], changed: ['price', 'stock'] };
};

/** Examples of the endpoints for products, except for creating them. */
export const productExamples = {
  list: (): Example<{ query: typeof ProductListQuery; answer: typeof ProductList }> => ({
    query: { category_id: 2, sort: 'price_asc', include: 'variants', limit: 2 },
    answer: {
      data: [
        listed(routes(), { variants: [] }),
        listed(jersey(), { variants: jersey().variants?.map(({ sale: _, ...variant }) => variant) }),
      ],
      meta: {
        page: 1,
        limit: 2,
        total: 3,
        total_pages: 2,
        next_cursor: productPages.cursor(2, { sort: 'price_asc', value: 7_900, id: jersey().id }),
      },
    },
  }),
  get: (): Example<{ params: typeof IdParams; query: typeof ProductQuery; answer: typeof Product }> => ({
    params: { id: 3 },
    answer: jersey(),
  }),
  getBySlug: (): Example<{
    params: typeof SlugParams;
    query: typeof ProductQuery;
    answer: typeof Product;
  }> => ({ params: { slug: 'merino-jersey' }, answer: jersey() }),
  related: (): Example<{
    params: typeof IdParams;
    query: typeof RelatedQuery;
    answer: typeof RelatedProducts;
  }> => ({ params: { id: 2 }, query: { limit: 4 }, answer: { data: [listed(espresso())] } }),
  patch: (): Example<{ params: typeof IdParams; body: typeof ProductPatch; answer: typeof Product }> => ({
    params: { id: 1 },
    body: { price: 8.9, stock: 144 },
    answer: {
      ...espresso(),
      price: 8.9,
      price_range: { min: 8.9, max: 8.9 },
      stock: 144,
      updated_at: '2026-11-23T10:12:09.310Z',
    },
  }),
  destroy: (): Example<{ params: typeof IdParams }> => ({ params: { id: 6 } }),
  duplicate: (): Example<{ params: typeof IdParams; answer: typeof Product }> => {
    const { barcode: _, ...copied } = espresso();
    return {
      params: { id: 1 },
      answer: {
        ...copied,
        id: 19,
        name: 'Copy of Espresso Kreuzberg 250 g',
        status: 'inactive',
        sku: 'ESP-250-copy',
        slug: 'espresso-kreuzberg-250-g-copy',
        stock: 0,
        in_stock: false,
      },
    };
  },
};
