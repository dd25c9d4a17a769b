import { world } from '../../../support/world.ts';
import type { Copy, MakeCopy, Write } from '../run-pair.ts';
import { adjust, bodyOf, pricesOf, productBody } from './shop.ts';

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
  const first = (sku: string, more: object = {}) => ({ id: v1, ...variantBody(sku, 'S', more) });
  const second = (sku: string, more: object = {}) => ({ id: v2, ...variantBody(sku, 'M', more) });
  const change = (...all: object[]): Write => ({
    method: 'PATCH',
    path: `/products/${p}`,
    body: { variants: all },
  });
  const writes: Copy['writes'] = {
    onlyFirst: change(first('S-S')),
    reprice: change(first('S-S', { price: 11 }), second('S-M', { price: 12 })),
    add: change(first('S-S'), second('S-M'), variantBody('S-L', 'L')),
    addOther: change(first('S-S'), second('S-M'), variantBody('S-X', 'L')),
    bySku: change(variantBody('S-M', 'M'), variantBody('S-S', 'XS')),
    swap: change(first('S-M'), second('S-S')),
    renameSku: change(first('Z'), second('S-M')),
    matched: { ...change(first('S-S'), variantBody('N', 'N')), headers: { 'if-match': etag } },
    name: { method: 'PATCH', path: `/products/${p}`, body: { name: 'Tee' } },
    remove: { method: 'DELETE', path: `/products/${p}` },
    takeSku: { method: 'POST', path: '/products', body: productBody({ sku: 'S-L', name: 'X' }) },
    takeZ: { method: 'PATCH', path: `/products/${q}`, body: { sku: 'Z' } },
    takeM: { method: 'PATCH', path: `/products/${q}`, body: { sku: 'S-M' } },
    plus: adjust({ 'S-S': 2, 'S-M': -1 }),
    set0: { method: 'POST', path: '/inventory/adjustments', body: { items: [{ sku: 'S-M', stock: 0 }] } },
    prices: pricesOf({ 'S-S': 21, 'S-M': 22 }),
    percent: {
      method: 'POST',
      path: '/products/bulk',
      body: { ids: [p], change: { price: { kind: 'percent', percent: 10 } } },
    },
  };
  return { shop, reads, writes };
};
