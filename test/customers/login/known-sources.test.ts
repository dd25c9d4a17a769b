import { beforeEach, expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import {
  as,
  customer,
  from,
  login,
  PASSWORD,
  person,
  quickHashes,
} from '../../support/fixtures/customers.ts';
import { type World, world } from '../../support/world.ts';

beforeEach(quickHashes);

const DAY = 24 * 3600_000;
const HOME = '192.0.2.1';

/** Guesses wrong from other networks, as a stranger would, until the account is slowed down. */
async function strangersGuess(shop: World, email: string): Promise<void> {
  for (let count = 0; count < 9; count++) {
    moveClock(16_000);
    await login(shop, email, 'a wrong guess', from(`203.0.113.${count}`));
  }
  expect((await login(shop, email, PASSWORD, from('203.0.113.99'))).status).toBe(429);
}

it('lets a customer in from their own network while a stranger guesses, every quarter of an hour', async () => {
  const shop = await world();
  const ada = await customer(shop);
  expect((await login(shop, ada.email, PASSWORD, from(HOME))).status).toBe(200);
  await strangersGuess(shop, ada.email);
  for (let quarter = 0; quarter < 4; quarter++) {
    expect((await login(shop, ada.email, PASSWORD, from(HOME))).status).toBe(200);
    moveClock(15 * 60_000);
    await login(shop, ada.email, 'a wrong guess', from('203.0.113.7'));
  }
  // Their own success gives the stranger no new guesses.
  expect((await login(shop, ada.email, 'a wrong guess', from('203.0.113.8'))).status).toBe(429);
});

it('lets a customer in who registered, or set a new password, from that network', async () => {
  const shop = await world();
  const who = person();
  const options = { token: shop.token, headers: from(HOME) };
  expect((await shop.post('/customers/register', who, options)).status).toBe(201);
  await strangersGuess(shop, who.email);
  expect((await login(shop, who.email, PASSWORD, from(HOME))).status).toBe(200);
  const { token } = (await shop.post('/customers/password-resets', { email: who.email })).body;
  const away = { token: shop.token, headers: from('192.0.2.200') };
  const set = await shop.post(`/customers/password-resets/${token}`, { password: 'a new password' }, away);
  expect(set.status).toBe(200);
  await strangersGuess(shop, who.email);
  expect((await login(shop, who.email, 'a new password', from('192.0.2.200'))).status).toBe(200);
  // Whoever knew the old password is a stranger again.
  await strangersGuess(shop, who.email);
  expect((await login(shop, who.email, 'a new password', from(HOME))).status).toBe(429);
});

it('lets in from anywhere a device that shows the token of an earlier session, even one that was ended', async () => {
  const shop = await world();
  const ada = await customer(shop);
  await shop.post('/customers/logout', undefined, as(ada.token));
  await strangersGuess(shop, ada.email);
  const cafe = { ...from('198.51.100.9'), 'x-customer-token': ada.token };
  expect((await login(shop, ada.email, PASSWORD, cafe)).status).toBe(200);
  // Another customer's token, or a made-up one, is no device of hers.
  const eve = await customer(shop);
  for (const token of [eve.token, `cs_${'a'.repeat(32)}1${'b'.repeat(12)}`, 'nonsense']) {
    const headers = { ...from('198.51.100.10'), 'x-customer-token': token };
    expect((await login(shop, ada.email, PASSWORD, headers)).status).toBe(429);
  }
});

it('lets in a known device from a network whose other guests have guessed too much', async () => {
  const shop = await world();
  const ada = await customer(shop);
  for (let count = 0; count < 21; count++) await login(shop, person().email, 'a wrong guess', from(HOME));
  expect((await login(shop, ada.email, PASSWORD, from(HOME))).status).toBe(429);
  const headers = { ...from(HOME), 'x-customer-token': ada.token };
  expect((await login(shop, ada.email, PASSWORD, headers)).status).toBe(200);
});

it('slows a known network and a known device down as well when they guess', async () => {
  const shop = await world();
  const ada = await customer(shop);
  await login(shop, ada.email, PASSWORD, from(HOME));
  const device = { ...from(HOME), 'x-customer-token': ada.token };
  for (const headers of [from(HOME), device]) {
    const codes: number[] = [];
    for (let count = 0; count < 7; count++) {
      codes.push((await login(shop, ada.email, 'a wrong guess', headers)).status);
    }
    expect(codes).toEqual([401, 401, 401, 401, 401, 429, 429]);
  }
});

it('forgets a network ninety days after its last login, and all but the last ten', async () => {
  const shop = await world();
  const ada = await customer(shop);
  for (let count = 0; count < 11; count++) {
    expect((await login(shop, ada.email, PASSWORD, from(`192.0.2.${count}`))).status).toBe(200);
  }
  await strangersGuess(shop, ada.email);
  expect((await login(shop, ada.email, PASSWORD, from('192.0.2.0'))).status).toBe(429);
  expect((await login(shop, ada.email, PASSWORD, from('192.0.2.1'))).status).toBe(200);
  moveClock(91 * DAY);
  await strangersGuess(shop, ada.email);
  expect((await login(shop, ada.email, PASSWORD, from('192.0.2.10'))).status).toBe(429);
});
