import { expect, it } from 'vitest';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

const link = (title: string) => ({ title, price: 1, url: `https://files.example/${title}` });

it('gives the id of a link that is gone to no other one', async () => {
  const shop = await world();
  const album = { name: 'Album', type: 'downloadable', price: 1, links: [link('One'), link('Two')] };
  const { id, links } = (await shop.post('/products', album)).body;
  const [one, two] = links;
  const options = { links: [two.id] };
  const added = await shop.post('/cart/items', { product_id: id, quantity: 1, options });
  expect(added.body.items).toMatchObject([{ selected: [{ value: 'Two' }] }]);
  await shop.patch(`/products/${id}`, { links: [one] });
  const { body } = await shop.patch(`/products/${id}`, { links: [one, link('Three')] });
  expect(body.links.map((each: { title: string; id: number }) => [each.title, each.id])).toEqual([
    ['One', one.id],
    ['Three', two.id + 1],
  ]);
  const cart = await shop.get(`/cart/${added.body.cart_token}`, NEWEST);
  expect(cart.body).toMatchObject({
    items: [{ selected: [{ value: 'Two' }] }],
    warnings: [{ code: 'out_of_stock' }],
  });
});

it('gives the ids of choices of a bundle that are gone to no other ones', async () => {
  const shop = await world();
  const made = await Promise.all(
    ['A', 'B', 'C'].map((name) => shop.post('/products', { name, type: 'simple', price: 1, stock: 5 })),
  );
  const [a, b, c] = made.map(({ body }) => body.id);
  const group = (title: string, product_id: number) => ({ title, items: [{ product_id }] });
  const bundle = {
    name: 'Kit',
    type: 'bundled',
    price: 1,
    bundle_groups: [group('First', a), group('Second', b)],
  };
  const { id, bundle_groups } = (await shop.post('/products', bundle)).body;
  const [first] = bundle_groups;
  await shop.patch(`/products/${id}`, { bundle_groups: [first] });
  const { body } = await shop.patch(`/products/${id}`, { bundle_groups: [first, group('Third', c)] });
  expect(body.bundle_groups).toMatchObject([first, { id: 3, items: [{ id: 3, product_id: c }] }]);
  await shop.delete(`/products/${c}`);
  const { body: again } = await shop.patch(`/products/${id}`, { bundle_groups: [first, group('Fourth', b)] });
  expect(again.bundle_groups).toMatchObject([first, { id: 4, items: [{ id: 4, product_id: b }] }]);
});
