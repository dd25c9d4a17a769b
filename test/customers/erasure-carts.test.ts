/** Carts that are merged or reported while their shopper is erased: nothing of it leaves their data anywhere. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { expect, it, vi } from 'vitest';
import { Cart } from '../../src/index.ts';
import { DAY, MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { connectionLost, evict } from '../support/faults/injector.ts';
import { fiveCups } from '../support/fixtures/catalog/products.ts';
import { cartObject } from '../support/fixtures/selling/cart.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  cron,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { PASSWORD, registerCustomer, withSession } from '../support/fixtures/selling/customers.ts';
import { until } from '../support/fixtures/webhooks.ts';
import { storeOf } from '../support/runtime/runtime.ts';
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

it('erases a cart that was assigned again just before the account ended, and out of reach just after', async () => {
  const shop = await sandboxShop();
  const cart_token = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token });
  beforeBatch(/update "customers" set .*"erased_at"/i, async () => {
    const taken = await shop.put('/customers/me/cart', { cart_token }, withSession(ada.token));
    expect(taken.status).toBe(200);
    vi.spyOn(Cart.prototype, 'forgetPerson').mockImplementation(() => {
      throw connectionLost();
    });
  });
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  vi.restoreAllMocks();
  moveClock(2 * MINUTE);
  await cron();
  expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
});

it("reaches no other customer's carts", async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const [ada] = [
    await registerCustomer(shop, { cart_token: await cartWith(shop, cup) }),
    await registerCustomer(shop, { cart_token: await cartWith(shop, cup) }),
  ];
  const reached = vi.spyOn(Cart.prototype, 'forgetPerson');
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  expect(new Set(reached.mock.contexts).size).toBe(1);
  reached.mockRestore();
});

it('keeps no record of a cart that is out of reach for a week after its customer was erased', async () => {
  const shop = await sandboxShop();
  const ada = await registerCustomer(shop, { cart_token: await cartWith(shop, await fiveCups(shop)) });
  const records = async () => {
    const query = 'SELECT count(*) AS carts FROM customer_carts WHERE tenant_id = ? AND customer_id = ?';
    return storeOf(shop).prepare(query).bind(shop.tenantId, ada.id).first('carts');
  };
  vi.spyOn(console, 'error').mockReturnValue();
  beforeBatch(/update "customers" set .*"erased_at"/i, async () => {
    vi.spyOn(Cart.prototype, 'forgetPerson').mockImplementation(() => {
      throw connectionLost();
    });
  });
  expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
  moveClock(6 * DAY);
  await cron();
  expect(await records()).toBe(1);
  moveClock(2 * DAY);
  await cron();
  vi.restoreAllMocks();
  expect(await records()).toBe(0);
});

it('reports no abandoned cart of a guest whose order was erased after it was read', async () => {
  const shop = await sandboxShop();
  const email = 'zenobia@example.com';
  const cart = await cartWith(shop, await fiveCups(shop));
  await submitCheckout(await checkoutPath(shop, cart), 'decline', { ...ADDRESS, email });
  const [order] = (await shop.get('/orders')).body.data;
  await shop.post(`/orders/${order.id}/cancel`);
  await until(async () => expect((await shop.get(`/cart/${cart}`)).body.status).toBe('open'));
  moveClock(61 * MINUTE);
  const object = cartObject(shop, cart);
  await evict(object);
  beforeBatch(/INSERT INTO "outbox"/, async () => {
    expect((await shop.delete(`/orders/${order.id}/personal-data`)).status).toBe(204);
  });
  await runDurableObjectAlarm(object);
  expect((await shop.get('/events?types=cart.abandoned')).body.data).toEqual([]);
  expect(storesWith(await dumpStores(shop), [email])).toEqual([]);
});
