/** A slot that fills up, or has free places again, is a change of the catalogue at once. */
import { expect, it } from 'vitest';
import { catalogVersion } from '../support/fixtures/catalog/imports.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { cartWith, checkoutPath, sandboxShop, submitCheckout } from '../support/fixtures/selling/checkout.ts';

const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

it('shows a slot as full at once while others are free, and as free after a cancellation', async () => {
  const shop = await sandboxShop();
  const [morning, noon] = [
    { from: at(24), to: at(26) },
    { from: at(27), to: at(29) },
  ];
  const slots = [
    { ...morning, capacity: 2 },
    { ...noon, capacity: 9 },
  ];
  const tour = await createProduct(shop, { type: 'booking', booking: { timezone: 'UTC', slots }, price: 20 });
  const current = async () => ({ headers: { 'x-catalog-version': String(await catalogVersion(shop)) } });
  const freePlaces = async () => {
    const { body } = await shop.get(`/products/${tour.body.id}`, await current());
    return body.booking.slots.map(({ available }: { available: number }) => available);
  };
  const addition = { product_id: tour.body.id, quantity: 1, options: { booking: morning } };
  const addOne = async () => (await shop.post('/cart/items', addition, await current())).status;
  expect(await freePlaces()).toEqual([2, 9]);
  const path = await checkoutPath(shop, await cartWith(shop, tour, 1, { ...addition, quantity: 2 }));
  expect([await freePlaces(), await addOne()]).toEqual([[0, 9], 409]);
  await submitCheckout(path, 'cancel');
  expect([await freePlaces(), await addOne()]).toEqual([[2, 9], 200]);
});
