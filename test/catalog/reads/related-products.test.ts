import { describe, expect, inject, it } from 'vitest';
import { relatedProducts } from '../../../src/catalog/reads/related-products.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { createProduct, NEWEST, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { random } from '../../support/seeded-random.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';
import { Generator } from '../filters/filter-catalogue.ts';

const related = (shop: World, id: number, query = '') => shop.get(`/products/${id}/related${query}`, NEWEST);
const namesOf = async (shop: World, id: number, query = '') =>
  (await related(shop, id, query)).body.data.map(({ name }: { name: string }) => name);
const idOf = async (shop: World, body: object) => (await stockedProduct(shop, body)).body.id as number;

describe('GET /v1/products/{id}/related', () => {
  it('lists those that share most first, what is sold out last, and never itself', async () => {
    const shop = await world();
    const category = async (name: string) => (await shop.post('/categories', { name })).body.id;
    const [tops, shoes] = [await category('Tops'), await category('Shoes')];
    const all = {
      category_ids: [tops],
      tags: ['summer', 'linen'],
      vendor: 'Atelier',
      attributes: { Material: ['Linen', 'Silk'], Care: 'Cold' },
    };
    const id = await idOf(shop, { name: 'Shirt', ...all });
    await idOf(shop, { name: 'Vendor only', vendor: 'ATELIER' });
    await idOf(shop, { name: 'Two tags', tags: ['Linen', 'summer'] });
    await idOf(shop, { name: 'Twin', ...all });
    await idOf(shop, {
      name: 'Attributes',
      attributes: { material: ['silk', 'LINEN', 'Wool'], care: 'cold' },
    });
    await idOf(shop, { name: 'Nothing', category_ids: [shoes], vendor: 'Other', tags: ['winter'] });
    await idOf(shop, { name: 'Hidden', ...all, status: 'inactive' });
    await createProduct(shop, { name: 'Sold out twin', ...all });
    await shop.delete(`/products/${await idOf(shop, { name: 'Gone', ...all })}`);
    const expected = ['Twin', 'Attributes', 'Two tags', 'Vendor only', 'Sold out twin'];
    expect(await namesOf(shop, id)).toEqual(expected);
    expect(await namesOf(shop, id, '?limit=2')).toEqual(expected.slice(0, 2));
  });

  it('ranks all products of a small shop as a model does, in random catalogues', async () => {
    for (let round = 0; round < 3; round++) {
      const g = new Generator(random(inject('seed') + round));
      const shop = await world();
      const parts = await Promise.all(['Tops', 'Shoes'].map((name) => shop.post('/categories', { name })));
      const products = [];
      for (let n = 0; n < 14; n++) {
        const body = {
          name: `P${n}`,
          category_ids: g.some(
            parts.map((part) => part.body.id as number),
            1,
          ),
          tags: g.some(['a', 'b', 'c'], 2),
          vendor: g.pick(['V', 'W', null]),
          attributes: g.chance(0.5) ? { m: g.pick(['x', 'y']) } : {},
          stock: g.pick([0, 3, 3]),
        };
        const traits = [
          ...body.category_ids,
          ...body.tags,
          ...(body.vendor === null ? [] : [body.vendor]),
          ...Object.values(body.attributes),
        ];
        products.push({ id: (await createProduct(shop, body)).body.id as number, traits, ...body });
      }
      for (const { id, traits } of products) {
        const ranked = products
          .map((one) => ({ ...one, shared: one.traits.filter((trait) => traits.includes(trait)).length }))
          .filter((one) => one.id !== id && one.shared > 0)
          .sort((a, b) => Math.sign(b.stock) - Math.sign(a.stock) || b.shared - a.shared || b.id - a.id);
        const { data } = (await related(shop, id, '?limit=5')).body;
        const shown = data.map((one: { name: string }) => one.name);
        expect(shown, `round ${round}`).toEqual(ranked.slice(0, 5).map(({ name }) => name));
      }
    }
  });

  it('counts a value that only variants of another product have', async () => {
    const shop = await world();
    const attributes = { Material: 'Wool' };
    const id = await idOf(shop, { name: 'Scarf', attributes: { ...attributes, Color: 'Black' } });
    const variants = [{ sku: 'v', price: 3, attributes: { color: 'black' }, stock: 1 }];
    const jersey = { name: 'Black jersey', type: 'configurable', stock: undefined, attributes, variants };
    await idOf(shop, jersey);
    await idOf(shop, { name: 'Grey hat', attributes });
    expect(await namesOf(shop, id)).toEqual(['Black jersey', 'Grey hat']);
  });

  it('follows changes, shows items as lists do, and prices them in the currency asked for', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const variants = [{ sku: 'v', price: 3, prices: { USD: 4 }, attributes: { Size: 'M' }, stock: 1 }];
    const id = await idOf(shop, { name: 'Cup', vendor: 'V', prices: { USD: 11 } });
    const tee = await idOf(shop, {
      name: 'Tee',
      type: 'configurable',
      vendor: 'V',
      variants,
      stock: undefined,
    });
    await idOf(shop, { name: 'Euro', vendor: 'V' });
    expect(await namesOf(shop, id)).toEqual(['Euro', 'Tee']);
    expect(await namesOf(shop, id, '?currency=USD')).toEqual(['Tee']);
    const shown = (await related(shop, id, '?currency=USD')).body.data;
    expect(shown).toEqual((await shop.get(`/products?ids=${tee}&currency=USD`, NEWEST)).body.data);
    await shop.patch(`/products/${tee}`, { vendor: 'W' });
    expect(await namesOf(shop, id)).toEqual(['Euro']);
    await shop.patch(`/products/${id}`, { vendor: null });
    expect(await namesOf(shop, id)).toEqual([]);
  });

  it('looks past products of the category that are not listed', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const category_ids = [(await shop.post('/categories', { name: 'Tops' })).body.id];
    const inUsd = { category_ids, prices: { USD: 4 } };
    await idOf(shop, { name: 'Evergreen', ...inUsd });
    for (let n = 0; n < 20; n++) await idOf(shop, { name: `Draft ${n}`, ...inUsd, status: 'inactive' });
    for (let n = 0; n < 20; n++) await idOf(shop, { name: `Euro ${n}`, category_ids, stock: n % 2 });
    const id = await idOf(shop, { name: 'Shirt', ...inUsd });
    expect(await namesOf(shop, id, '?currency=USD')).toEqual(['Evergreen']);
    for (let n = 0; n < 20; n++) await idOf(shop, { name: `Next draft ${n}`, ...inUsd, status: 'inactive' });
    await idOf(shop, { name: 'Newest', ...inUsd });
    expect(await namesOf(shop, id, '?currency=USD')).toEqual(['Newest', 'Evergreen']);
  });

  it('is 404 for what is not on sale', async () => {
    const [shop, other] = await Promise.all([world({ currencies: ['EUR', 'USD'] }), world()]);
    const id = await idOf(shop, { name: 'Cup', status: 'inactive' });
    expectProblem(await related(shop, id), 404, 'product_not_found');
    await shop.patch(`/products/${id}`, { status: 'active' });
    expect((await related(shop, id)).status).toBe(200);
    expectProblem(await related(shop, id, '?currency=USD'), 404, 'product_not_found');
    expectProblem(await related(other, id), 404, 'product_not_found');
    expect((await shop.get('/products/slug/related')).status).toBe(404);
  });

  it.each(['0', '25', 'x', '1.5', ''])('refuses %j as limit', async (limit) => {
    const shop = await world();
    const answer = await related(shop, 1, `?limit=${limit}`);
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors)).toEqual(['limit']);
  });

  it('reads few rows of a large category, and nothing else', async () => {
    const shop = await world();
    const category_ids = [(await shop.post('/categories', { name: 'Tops' })).body.id];
    const ids: number[] = [];
    for (let n = 0; n < 60; n++) {
      const body = {
        name: `P${n}`,
        category_ids,
        vendor: 'V',
        tags: ['a', 'b', `t${n % 7}`],
        attributes: { m: `${n % 5}` },
      };
      ids.push(await idOf(shop, body));
    }
    const query = { id: ids[30] ?? 0, limit: 8, currency: 'EUR', mainCurrency: 'EUR' };
    const used = await measureDatabase(async () => {
      await relatedProducts({ db: databaseOf(shop), tenantId: shop.tenantId }, query);
    });
    expect(used.statements).toBe(3);
    expect(used.read).toBeLessThan(500);
    const { body } = await related(shop, query.id);
    expect(body.data).toHaveLength(8);
    expect((await related(shop, query.id)).body).toEqual(body);
    // All share the category, the vendor and two tags; P30's rare tag t2 or its rare attribute is one more.
    const shared = body.data.map(({ name }: { name: string }) => Number(name.slice(1)));
    expect(shared.filter((n: number) => n % 7 !== 2 && n % 5 !== 0)).toEqual([]);
  });
});
