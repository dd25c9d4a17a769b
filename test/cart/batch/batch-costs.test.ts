import { expect, it } from 'vitest';
import { fetchWith, interceptBindings, MAIN_DATABASES } from '../../support/faults/bindings.ts';
import { createProduct, seeing } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

it('adds ten products in a batch with at most twice the calls of adding one', async () => {
  const shop = await world({ plan: 'enterprise' });
  const many: number[] = [];
  for (let n = 0; n < 10; n++)
    many.push((await createProduct(shop, { name: `Many ${n}`, stock: 9 })).body.id);
  const seen = await createProduct(shop, { name: 'Last', stock: 1 });
  const calls: string[] = [];
  const counted = interceptBindings([...MAIN_DATABASES, 'CACHE', 'CART', 'TENANT'], (name, call) => {
    if (!/getByName|idFromName|prepare|bind|withSession/.test(name)) calls.push(name);
    return call();
  });
  const token = (await shop.post('/cart')).body.cart_token;
  const cost = async (path: string, body: object): Promise<string[]> => {
    calls.length = 0;
    const headers = { 'content-type': 'application/json', ...seeing(seen).headers };
    const answer = await fetchWith(counted, 'POST', path, shop.token, {
      body: JSON.stringify(body),
      headers,
    });
    expect(answer.status).toBe(200);
    return [...calls];
  };
  const operations = many.map((product_id) => ({ op: 'add', product_id, quantity: 1 }));
  const [cold, warm] = [
    await cost(`/v1/cart/${token}/batch`, { operations }),
    await cost(`/v1/cart/${token}/batch`, { operations }),
  ];
  const add = await cost('/v1/cart/items', { cart_token: token, product_id: many[0], quantity: 1 });
  expect(add.filter((name) => !name.startsWith('CART.')).join()).toBe('');
  expect(warm.length, warm.join()).toBeLessThanOrEqual(2 * add.length);
  expect(warm).toHaveLength(1);
  // Entries that are not in the cache are read in one batch.
  expect(cold.filter((name) => name === 'CACHE.get').length).toBeLessThanOrEqual(3);
  expect(cold.filter((name) => /^(?:DB|SHARD_\d\d)\./.test(name)).length, cold.join()).toBeLessThanOrEqual(2);
});
