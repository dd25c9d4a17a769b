/** Checkouts of a customer who is erased meanwhile: their order holds nothing that only the account knew. */
import { expect, it, vi } from 'vitest';
import { Cart } from '../../src/index.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { fiveCups } from '../support/fixtures/catalog/products.ts';
import {
  cartWith,
  OWN_CHECKOUT,
  RETURN_URL,
  sandboxShop,
  sessionIn,
} from '../support/fixtures/selling/checkout.ts';
import { registerCustomer, withSession } from '../support/fixtures/selling/customers.ts';
import { dumpStores, storesWith } from '../support/storage/storage-dump.ts';

const HOME = { country: 'DE', first_name: 'Zenobia', line1: 'Vanishing Lane 9' };

/** Starts a customer's checkout with the tenant's own page, which places the order with what the cart knows. */
async function ownCheckout(settings: object = {}) {
  const shop = await sandboxShop({ settings: { ...OWN_CHECKOUT, ...settings } });
  const cart = await cartWith(shop, await fiveCups(shop), 1, { options: { engraving: 'Zenobia' } });
  const ada = await registerCustomer(shop, { cart_token: cart });
  expect((await shop.put(`/cart/${cart}/shipping-address`, HOME)).status).toBe(200);
  const operations = [{ op: 'metadata', metadata: { gift: 'From Zenobia' } }];
  expect((await shop.post(`/cart/${cart}/batch`, { operations })).status).toBe(200);
  const body = { cart_token: cart, return_url: RETURN_URL };
  const started = await shop.post('/checkout/seamless', body, withSession(ada.token));
  const session = sessionIn(started.body.redirect_url);
  const erase = async () => expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  const place = () => shop.post('/orders', { session });
  const leftovers = async () => storesWith(await dumpStores(shop), [ada.email, 'Zenobia', 'Vanishing Lane']);
  return { shop, cart, erase, place, leftovers };
}

it('erases the order that is placed after the cart was erased, and before the account ends', async () => {
  const { shop, erase, place, leftovers } = await ownCheckout();
  beforeBatch(/update "customers" set .*"erased_at"/i, async () => {
    expect((await place()).status).toBe(201);
  });
  await erase();
  expect(await leftovers()).toEqual([]);
  const { data } = (await shop.get('/orders')).body;
  expect(data).toMatchObject([{ status: 'pending', customer: { id: null, email: null } }]);
});

/** Runs `work` just before the next cart is locked. */
function beforeLock(work: () => Promise<void>): void {
  const { lock } = Cart.prototype;
  const spy = vi.spyOn(Cart.prototype, 'lock');
  const late = async function (this: Cart, ...order: Parameters<typeof lock>) {
    spy.mockRestore();
    await work();
    return lock.apply(this, order);
  };
  // An object's caller awaits every method, also those that return their result at once.
  spy.mockImplementation(late as never);
}

it.each([
  ['before', beforeLock],
  ['after', (work: () => Promise<void>) => beforeBatch(/insert into "orders"/i, work)],
])(
  'places the order of a customer who was erased just %s the cart was locked without their contact data',
  async (_, meanwhile) => {
    const { erase, place, leftovers } = await ownCheckout();
    meanwhile(erase);
    const placed = await place();
    expect(placed).toMatchObject({ status: 201, body: { customer: { id: null, email: null, name: null } } });
    expect(await leftovers()).toEqual([]);
  },
);

it('unlocks the cart at once when the erasure has taken the country that its delivery depends on', async () => {
  const methods = [{ id: 'parcel', name: 'Parcel', countries: ['DE'], price: 4, active: true }];
  const { shop, cart, erase, place } = await ownCheckout({ shipping: { flat: 0, methods } });
  beforeBatch(/insert into "orders"/i, erase);
  expect(await place()).toMatchObject({ status: 409, body: { code: 'shipping_unavailable' } });
  expect((await shop.patch('/cart/items/1', { cart_token: cart, quantity: 2 })).body.code).toBeUndefined();
});
