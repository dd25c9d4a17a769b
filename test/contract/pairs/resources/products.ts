import { world } from '../../../support/world.ts';
import type { Copy, MakeCopy } from '../run-pair.ts';
import { adjust, bodyOf, pricesOf, productBody, promoteTenth } from './shop.ts';

/** Two products in one of two categories; either may get a SKU or slug that both want. */
export const products: MakeCopy = async () => {
  const shop = await world({ name: 'Shop', currencies: ['EUR', 'USD'] });
  const c1 = (await shop.post('/categories', { name: 'One' })).body.id;
  const c2 = (await shop.post('/categories', { name: 'Two' })).body.id;
  const { id: p } = bodyOf(
    await shop.post('/products', productBody({ sku: 'A', slug: 'a', category_ids: [c1] })),
  );
  const q = (await shop.post('/products', productBody({ sku: 'Q', slug: 'q', name: 'Mug' }))).body.id;
  const etag = (await shop.get(`/products/${p}`)).headers.get('etag') ?? '';
  const reads = [
    `/products/${p}?status=all`,
    `/products/${q}?status=all`,
    '/products?status=all&sort=oldest',
    '/categories',
    '/products?status=all&facets=price,in_stock,category',
    '/products/slug/a?status=all',
    '/products/slug/s2?status=all',
    '/inventory/low-stock?threshold=3',
  ];
  const writes: Copy['writes'] = {
    price: { method: 'PATCH', path: `/products/${p}`, body: { price: 12 } },
    name: { method: 'PATCH', path: `/products/${p}`, body: { name: 'Red cup' } },
    name2: { method: 'PATCH', path: `/products/${p}`, body: { name: 'Blue cup', description: 'x' } },
    sku: { method: 'PATCH', path: `/products/${p}`, body: { sku: 'B' } },
    slug: { method: 'PATCH', path: `/products/${p}`, body: { slug: 's2' } },
    stock: { method: 'PATCH', path: `/products/${p}`, body: { stock: 9 } },
    stock0: { method: 'PATCH', path: `/products/${p}`, body: { stock: 0 } },
    metaA: { method: 'PATCH', path: `/products/${p}`, body: { metadata: { a: '1' } } },
    metaB: { method: 'PATCH', path: `/products/${p}`, body: { metadata: { b: '1' } } },
    attributes: {
      method: 'PATCH',
      path: `/products/${p}`,
      body: { attributes: { material: 'Wool' }, tags: ['x'] },
    },
    sale: { method: 'PATCH', path: `/products/${p}`, body: { sale: { price: 7 } } },
    usd: { method: 'PATCH', path: `/products/${p}`, body: { prices: { USD: 11 } } },
    matched: { method: 'PATCH', path: `/products/${p}`, body: { price: 13 }, headers: { 'if-match': etag } },
    deleteMatched: { method: 'DELETE', path: `/products/${p}`, headers: { 'if-match': etag } },
    category: { method: 'PATCH', path: `/products/${p}`, body: { category_ids: [c2] } },
    inactive: { method: 'PATCH', path: `/products/${p}`, body: { status: 'inactive' } },
    policy: { method: 'PATCH', path: `/products/${p}`, body: { inventory_policy: 'continue' } },
    grouped: {
      method: 'POST',
      path: '/products',
      body: {
        name: 'Set',
        sku: 'SET',
        type: 'grouped',
        price: 1,
        grouped: [
          { product_id: p, default_quantity: 1 },
          { product_id: q, default_quantity: 1 },
        ],
      },
    },
    bundle: {
      method: 'POST',
      path: '/products',
      body: {
        name: 'Bundle',
        sku: 'BUN',
        type: 'bundled',
        price: 1,
        bundle_groups: [
          {
            title: 'X',
            required: true,
            multiple: false,
            items: [{ product_id: p, quantity: 1, default: true }],
          },
        ],
      },
    },
    remove: { method: 'DELETE', path: `/products/${p}` },
    createSku: { method: 'POST', path: '/products', body: productBody({ sku: 'B', name: 'New' }) },
    createSkuA: { method: 'POST', path: '/products', body: productBody({ sku: 'A', name: 'New' }) },
    createSlug: { method: 'POST', path: '/products', body: productBody({ slug: 's2', sku: 'N' }) },
    createSlugA: { method: 'POST', path: '/products', body: productBody({ slug: 'a', sku: 'N' }) },
    createName: { method: 'POST', path: '/products', body: productBody({ name: 'Fresh' }) },
    bulkStatus: {
      method: 'POST',
      path: '/products/bulk',
      body: { ids: [p, q], change: { status: 'inactive' } },
    },
    bulkPercent: {
      method: 'POST',
      path: '/products/bulk',
      body: { ids: [q, p], change: { price: { kind: 'percent', percent: 10 } } },
    },
    bulkCategory: {
      method: 'POST',
      path: '/products/bulk',
      body: { ids: [p, q], change: { add_category_ids: [c2], remove_category_ids: [c1] } },
    },
    prices: pricesOf({ A: 14, Q: 15 }),
    plus: adjust({ A: 1 }),
    minus5: adjust({ A: -5, Q: -2 }),
    set3: { method: 'POST', path: '/inventory/adjustments', body: { items: [{ sku: 'A', stock: 3 }] } },
    deleteCategory: { method: 'DELETE', path: `/categories/${c1}` },
    deleteCategory2: { method: 'DELETE', path: `/categories/${c2}` },
    moveCategory: { method: 'PATCH', path: `/categories/${c1}`, body: { parent_id: c2 } },
    otherSku: { method: 'PATCH', path: `/products/${q}`, body: { sku: 'B' } },
    otherSlug: { method: 'PATCH', path: `/products/${q}`, body: { slug: 's2' } },
    otherSkuA: { method: 'PATCH', path: `/products/${q}`, body: { sku: 'A' } },
    otherSlugA: { method: 'PATCH', path: `/products/${q}`, body: { slug: 'a' } },
    removeOther: { method: 'DELETE', path: `/products/${q}` },
    noUsd: { method: 'PATCH', path: `/admin/v1/tenants/${shop.slug}`, body: { currencies: ['EUR'] } },
    promotion: promoteTenth({ product_ids: [p] }),
  };
  return { shop, reads, writes };
};
