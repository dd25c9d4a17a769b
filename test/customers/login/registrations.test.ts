import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import {
  fromAddress,
  fromOwnAddress,
  logIn,
  PASSWORD,
  registerCustomer,
  registration,
} from '../../support/fixtures/selling/customers.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';
import { type World, world } from '../../support/world.ts';

const register = (shop: World, headers: Record<string, string>, who: object = registration()) =>
  shop.post('/customers/register', who, { token: shop.token, headers });

it('registers ten customers at once from one network, then one every thirty seconds', async () => {
  stopClock();
  const shop = await world();
  const codes = new Map<number, number>();
  for (let count = 0; count < 30; count++) {
    // One IPv6 network has addresses without number.
    const { status } = await register(shop, fromAddress(`2001:db8:7:7::${count.toString(16)}`));
    codes.set(status, (codes.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(codes)).toEqual({ 201: 10, 429: 20 });
  const refused = await register(shop, fromAddress('2001:db8:7:7::1'));
  expect(refused.body.code).toBe('rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(30);
  expect((await register(shop, fromAddress('2001:db8:7:8::1'))).status).toBe(201);
  // Another tenant's shop counts for itself, and logging in is something else.
  const other = await world();
  expect((await register(other, fromAddress('2001:db8:7:7::1'))).status).toBe(201);
  const ada = await registerCustomer(shop);
  expect((await logIn(shop, ada.email, PASSWORD, fromAddress('2001:db8:7:7::1'))).status).toBe(200);
  moveClock(30_000);
  expect((await register(shop, fromAddress('2001:db8:7:7::1'))).status).toBe(201);
  expect((await register(shop, fromAddress('2001:db8:7:7::1'))).status).toBe(429);
});

it('repeats the response to a retried registration, and counts it once', async () => {
  const shop = await world();
  const [who, headers] = [registration(), { ...fromOwnAddress(), 'idempotency-key': crypto.randomUUID() }];
  for (let count = 0; count < 15; count++) {
    expect((await register(shop, headers, who)).status).toBe(201);
  }
});

it('takes a registration under the key with which it was refused before its turn', async () => {
  stopClock();
  const shop = await world();
  const network = fromAddress('2001:db8:7:9::1');
  for (let count = 0; count < 10; count++) expect((await register(shop, network)).status).toBe(201);
  const [who, headers] = [registration(), { ...network, 'idempotency-key': crypto.randomUUID() }];
  expect((await register(shop, headers, who)).status).toBe(429);
  moveClock(30_000);
  expect((await register(shop, headers, who)).status).toBe(201);
});

it('registers as many customers a minute as the plan allows, from all networks together', async () => {
  const shop = await world({ plan: 'starter' });
  stopClock();
  for (let made = 0; made < 60; made++) expect((await register(shop, fromOwnAddress())).status).toBe(201);
  const refused = await register(shop, fromOwnAddress());
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  moveClock(1_000);
  expect((await register(shop, fromOwnAddress())).status).toBe(201);
});
