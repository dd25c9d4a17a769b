/** Carts that are merged or reported while their shopper is erased: nothing of it leaves their data anywhere. */
import { expect, it, vi } from 'vitest';
import { Cart } from '../../src/index.ts';
import { fiveCups } from '../support/fixtures/catalog/products.ts';
import { cartWith, sandboxShop } from '../support/fixtures/selling/checkout.ts';
import { PASSWORD, registerCustomer } from '../support/fixtures/selling/customers.ts';
import { dumpStores, storesWith } from '../support/storage/storage-dump.ts';

/** Runs `work` just before the next cart takes over what another one holds. */
function beforeTake(work: () => Promise<void>): void {
  const { take } = Cart.prototype;
  const spy = vi.spyOn(Cart.prototype, 'take');
  const late = async function (this: Cart, ...merge: Parameters<typeof take>) {
    spy.mockRestore();
    await work();
    return take.apply(this, merge);
  };
  // An object's caller awaits every method, also those that return their result at once.
  spy.mockImplementation(late as never);
}

it('leaves nothing of the older cart of a customer who was erased while it was merged', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const older = await cartWith(shop, cup, 1, { options: { engraving: 'Zenobia' } });
  const operations = [{ op: 'metadata', metadata: { gift: 'From Zenobia' } }];
  expect((await shop.post(`/cart/${older}/batch`, { operations })).status).toBe(200);
  const ada = await registerCustomer(shop, { cart_token: older });
  const cart_token = await cartWith(shop, cup);
  beforeTake(async () => {
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  });
  const login = await shop.post('/customers/login', { email: ada.email, password: PASSWORD, cart_token });
  expect([login.status, login.body.code]).toEqual([401, 'invalid_credentials']);
  expect(storesWith(await dumpStores(shop), [ada.email, 'Zenobia'])).toEqual([]);
});
