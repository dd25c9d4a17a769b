import { world } from '../../../support/world.ts';
import type { Copy, MakeCopy } from '../run-pair.ts';
import { productBody, promoteTenth } from './shop.ts';

/** A category of three levels and one of two, with a product in the deepest. */
export const categories: MakeCopy = async () => {
  const shop = await world({ name: 'Shop' });
  const make = async (name: string, parent_id: number | null = null) =>
    (await shop.post('/categories', { name, parent_id })).body.id;
  const a = await make('A');
  const b = await make('B', a);
  const c = await make('C', b);
  const d = await make('D');
  const e = await make('E', d);
  const p = (await shop.post('/products', productBody({ sku: 'A', category_ids: [c] }))).body.id;
  const etag = (await shop.get(`/categories/${b}`)).headers.get('etag') ?? '';
  const reads = [
    `/categories`,
    `/categories/${b}`,
    `/categories/${c}`,
    `/categories/${d}`,
    `/products?category_id=${a}`,
    `/products?category_id=${d}`,
    `/products/${p}`,
    '/products?facets=category',
  ];
  const writes: Copy['writes'] = {
    bUnderD: { method: 'PATCH', path: `/categories/${b}`, body: { parent_id: d } },
    dUnderB: { method: 'PATCH', path: `/categories/${d}`, body: { parent_id: b } },
    dUnderC: { method: 'PATCH', path: `/categories/${d}`, body: { parent_id: c } },
    aUnderE: { method: 'PATCH', path: `/categories/${a}`, body: { parent_id: e } },
    bRoot: { method: 'PATCH', path: `/categories/${b}`, body: { parent_id: null } },
    name: { method: 'PATCH', path: `/categories/${b}`, body: { name: 'Bees' } },
    slug: { method: 'PATCH', path: `/categories/${b}`, body: { slug: 'same' } },
    slugD: { method: 'PATCH', path: `/categories/${d}`, body: { slug: 'same' } },
    createSlug: { method: 'POST', path: '/categories', body: { name: 'N', slug: 'same' } },
    createName: { method: 'POST', path: '/categories', body: { name: 'Fresh' } },
    createChild: { method: 'POST', path: '/categories', body: { name: 'Child', parent_id: b } },
    createDeep: { method: 'POST', path: '/categories', body: { name: 'Deep', parent_id: e } },
    hide: { method: 'PATCH', path: `/categories/${b}`, body: { hidden: true } },
    metaA: { method: 'PATCH', path: `/categories/${b}`, body: { metadata: { a: '1' } } },
    metaB: { method: 'PATCH', path: `/categories/${b}`, body: { metadata: { b: '1' } } },
    matched: {
      method: 'PATCH',
      path: `/categories/${b}`,
      body: { name: 'Matched' },
      headers: { 'if-match': etag },
    },
    deleteMatched: { method: 'DELETE', path: `/categories/${b}`, headers: { 'if-match': etag } },
    removeB: { method: 'DELETE', path: `/categories/${b}` },
    removeA: { method: 'DELETE', path: `/categories/${a}` },
    removeC: { method: 'DELETE', path: `/categories/${c}` },
    removeD: { method: 'DELETE', path: `/categories/${d}` },
    intoB: { method: 'PATCH', path: `/products/${p}`, body: { category_ids: [b] } },
    intoD: { method: 'PATCH', path: `/products/${p}`, body: { category_ids: [d] } },
    createIn: { method: 'POST', path: '/products', body: productBody({ name: 'New', category_ids: [c] }) },
    bulk: {
      method: 'POST',
      path: '/products/bulk',
      body: { ids: [p], change: { add_category_ids: [d], remove_category_ids: [c] } },
    },
    removeProduct: { method: 'DELETE', path: `/products/${p}` },
    promotion: promoteTenth({ category_ids: [c] }),
  };
  return { shop, reads, writes, othersOnly: true };
};
