import type { Samples } from '../support/contract/sample.ts';
import type { World } from '../support/world.ts';

const newProduct = () => ({
  name: 'Shirt',
  sku: crypto.randomUUID(),
  slug: `s-${crypto.randomUUID()}`,
  type: 'simple',
  price: 10,
});
const newCategory = () => ({ name: 'Shirts', slug: `c-${crypto.randomUUID()}` });

const product = async (shop: World) => ({ id: (await shop.post('/products', newProduct())).body.id });
const productSlug = async (shop: World) => ({
  slug: (await shop.post('/products', newProduct())).body.slug,
});
const category = async (shop: World) => ({ id: (await shop.post('/categories', newCategory())).body.id });

const categorySlug = async (shop: World) => ({
  slug: (await shop.post('/categories', newCategory())).body.slug,
});

export const samples: Samples = {
  'GET /v1/products': {},
  'GET /v1/products/{id}': { params: product, foreign: 'product_not_found' },
  'GET /v1/products/slug/{slug}': { params: productSlug, foreign: 'product_not_found' },
  'GET /v1/products/{id}/related': { params: product, foreign: 'product_not_found' },
  'POST /v1/products': { body: newProduct },
  'POST /v1/products/bulk': {
    body: async (shop) => {
      const { id } = (await shop.post('/products', newProduct())).body;
      return { ids: [id], change: { status: 'inactive' } };
    },
  },
  'POST /v1/products/prices': {
    body: async (shop) => {
      const { sku } = (await shop.post('/products', newProduct())).body;
      return { items: [{ sku, price: 12 }] };
    },
  },
  'PATCH /v1/products/{id}': { params: product, body: { price: 12 }, foreign: 'product_not_found' },
  'POST /v1/products/{id}/duplicate': { params: product, foreign: 'product_not_found' },
  'DELETE /v1/products/{id}': { params: product, foreign: 'product_not_found' },
  'GET /v1/categories': {},
  'GET /v1/categories/{id}': { params: category, foreign: 'category_not_found' },
  'GET /v1/categories/slug/{slug}': { params: categorySlug, foreign: 'category_not_found' },
  'GET /v1/sitemap': { query: '?kind=products' },
  'POST /v1/categories': { body: newCategory },
  'PATCH /v1/categories/{id}': { params: category, body: { name: 'Tops' }, foreign: 'category_not_found' },
  'DELETE /v1/categories/{id}': { params: category, foreign: 'category_not_found' },
};
