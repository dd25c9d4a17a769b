import { describe, expect, it } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { importFile } from '../../support/fixtures/catalog/imports.ts';
import { createProduct, NEWEST } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

const REFUSED = { regular_price: ['must not be below the price'] };

describe('a regular price below the price', () => {
  it('is refused when a product is created', async () => {
    const shop = await world();
    const body = { name: 'Cup', type: 'simple', price: 10, regular_price: 9.99 };
    const answer = await shop.post('/products', body);
    expectProblem(answer, 422, 'validation_error');
    expect(answer.body.errors).toEqual(REFUSED);
    expect((await shop.post('/products', { ...body, regular_price: 10 })).status).toBe(201);
    expect((await shop.get('/products?on_sale=true', NEWEST)).body.data).toEqual([]);
  });

  it.each([
    ['the regular price falls', { regular_price: 9 }],
    ['the price rises', { price: 13 }],
    ['both change', { price: 20, regular_price: 19 }],
  ])('is refused when %s', async (_, change) => {
    const shop = await world();
    const cup = (await createProduct(shop, { price: 10, regular_price: 12 })).body;
    const answer = await shop.patch(`/products/${cup.id}`, change);
    expectProblem(answer, 422, 'validation_error');
    expect(answer.body.errors).toEqual(REFUSED);
    expect((await shop.patch(`/products/${cup.id}`, { ...change, regular_price: null })).status).toBe(200);
  });

  it("is refused when a configurable product's cheapest variant costs more", async () => {
    const shop = await world();
    const variants = (price: number) => [{ sku: 'tee-m', price, attributes: { size: 'M' } }];
    const tee = { name: 'Tee', type: 'configurable', price: 10, variants: variants(10), regular_price: 12 };
    const { id } = (await shop.post('/products', tee)).body;
    const answer = await shop.patch(`/products/${id}`, { variants: variants(13) });
    expectProblem(answer, 422, 'validation_error');
    expect(answer.body.errors).toEqual(REFUSED);
  });

  it('is not stored by an import, neither the one of the file nor an earlier one', async () => {
    const shop = await world();
    const lines = ['low,Low,10,9', 'same,Same,10,10', 'high,High,10,12'];
    const head = 'Handle,Title,Variant Price,Variant Compare At Price';
    await importFile(shop, `${head}\n${lines.join('\n')}\n`);
    const regular = async () => {
      const { body } = await shop.get('/products?sort=name_asc', NEWEST);
      return body.data.map(({ regular_price }: { regular_price: number }) => regular_price);
    };
    expect(await regular()).toEqual([12, null, null]);
    await importFile(shop, 'Handle,Title,Variant Price\nhigh,High,11\n');
    expect(await regular()).toEqual([12, null, null]);
    await importFile(shop, 'Handle,Title,Variant Price\nhigh,High,13\n');
    expect(await regular()).toEqual([null, null, null]);
  });
});
