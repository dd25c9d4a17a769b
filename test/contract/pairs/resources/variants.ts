import { world } from '../../../support/world.ts';
import type { Copy, MakeCopy } from '../run-pair.ts';
import { bodyOf, productBody } from './shop.ts';

/** Returns a variant of a shirt. */
const variantBody = (sku: string, size: string, more: object = {}) => ({
  sku,
  price: 10,
  attributes: { size },
  ...more,
});

/** A shirt in two sizes, and another product. */
export const variants: MakeCopy = async () => {
  const shop = await world({ name: 'Shop' });
  const { id: p, variants: sizes } = bodyOf(
    await shop.post('/products', {
      name: 'Shirt',
      slug: 'shirt',
      sku: 'S',
      type: 'configurable',
      price: 1,
      variants: [variantBody('S-S', 'S', { stock: 3 }), variantBody('S-M', 'M', { stock: 3 })],
    }),
  );
  const q = (await shop.post('/products', productBody({ sku: 'Q', name: 'Mug' }))).body.id;
  const [v1, v2] = sizes.map(({ id }: { id: number }) => id);
  const etag = (await shop.get(`/products/${p}`)).headers.get('etag') ?? '';
  const reads = [
    `/products/${p}?status=all`,
    '/products?status=all&facets=attr.size,price&include=variants',
    '/inventory/low-stock?threshold=3',
  ];
  const writes: Copy['writes'] = {
    onlyFirst: {
      method: 'PATCH',
      path: `/products/${p}`,
      body: { variants: [{ id: v1, ...variantBody('S-S', 'S') }] },
    },
    reprice: {
      method: 'PATCH',
      path: `/products/${p}`,
      body: {
        variants: [
          { id: v1, ...variantBody('S-S', 'S', { price: 11 }) },
          { id: v2, ...variantBody('S-M', 'M', { price: 12 }) },
        ],
      },
    },
    add: {
      method: 'PATCH',
      path: `/products/${p}`,
      body: {
        variants: [
          { id: v1, ...variantBody('S-S', 'S') },
          { id: v2, ...variantBody('S-M', 'M') },
          variantBody('S-L', 'L'),
        ],
      },
    },
    addOther: {
      method: 'PATCH',
      path: `/products/${p}`,
      body: {
        variants: [
          { id: v1, ...variantBody('S-S', 'S') },
          { id: v2, ...variantBody('S-M', 'M') },
          variantBody('S-X', 'L'),
        ],
      },
    },
    bySku: {
      method: 'PATCH',
      path: `/products/${p}`,
      body: { variants: [variantBody('S-M', 'M'), variantBody('S-S', 'XS')] },
    },
    swap: {
      method: 'PATCH',
      path: `/products/${p}`,
      body: {
        variants: [
          { id: v1, ...variantBody('S-M', 'S') },
          { id: v2, ...variantBody('S-S', 'M') },
        ],
      },
    },
    renameSku: {
      method: 'PATCH',
      path: `/products/${p}`,
      body: {
        variants: [
          { id: v1, ...variantBody('Z', 'S') },
          { id: v2, ...variantBody('S-M', 'M') },
        ],
      },
    },
    matched: {
      method: 'PATCH',
      path: `/products/${p}`,
      body: { variants: [{ id: v1, ...variantBody('S-S', 'S') }, variantBody('N', 'N')] },
      headers: { 'if-match': etag },
    },
    name: { method: 'PATCH', path: `/products/${p}`, body: { name: 'Tee' } },
    remove: { method: 'DELETE', path: `/products/${p}` },
    takeSku: { method: 'POST', path: '/products', body: productBody({ sku: 'S-L', name: 'X' }) },
    takeZ: { method: 'PATCH', path: `/products/${q}`, body: { sku: 'Z' } },
    takeM: { method: 'PATCH', path: `/products/${q}`, body: { sku: 'S-M' } },
    plus: {
      method: 'POST',
      path: '/inventory/adjustments',
      body: {
        items: [
          { sku: 'S-S', delta: 2 },
          { sku: 'S-M', delta: -1 },
        ],
      },
    },
    set0: { method: 'POST', path: '/inventory/adjustments', body: { items: [{ sku: 'S-M', stock: 0 }] } },
    prices: {
      method: 'POST',
      path: '/products/prices',
      body: {
        items: [
          { sku: 'S-S', price: 21 },
          { sku: 'S-M', price: 22 },
        ],
      },
    },
    percent: {
      method: 'POST',
      path: '/products/bulk',
      body: { ids: [p], change: { price: { kind: 'percent', percent: 10 } } },
    },
  };
  return { shop, reads, writes };
};
