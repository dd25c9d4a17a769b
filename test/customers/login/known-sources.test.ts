import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import { sha256 } from '../../../src/kernel/crypto/crypto.ts';
import {
  fromAddress,
  logIn,
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../../support/fixtures/selling/customers.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';
import { type World, world } from '../../support/world.ts';

const HOME = '192.0.2.1';

/** Guesses wrong from other networks, as a stranger would, until the account is slowed down; stops the clock there. */
async function strangersGuess(shop: World, email: string): Promise<void> {
  stopClock();
  for (let count = 0; count < 9; count++) {
    moveClock(16_000);
    await logIn(shop, email, 'a wrong guess', fromAddress(`203.0.113.${count}`));
  }
  expect((await logIn(shop, email, PASSWORD, fromAddress('203.0.113.99'))).status).toBe(429);
}

it('admits a customer from their own network every 15 minutes while a stranger guesses', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  expect((await logIn(shop, ada.email, PASSWORD, fromAddress(HOME))).status).toBe(200);
  await strangersGuess(shop, ada.email);
  for (let quarter = 0; quarter < 4; quarter++) {
    expect((await logIn(shop, ada.email, PASSWORD, fromAddress(HOME))).status).toBe(200);
    moveClock(15 * 60_000);
    await logIn(shop, ada.email, 'a wrong guess', fromAddress('203.0.113.7'));
  }
  // Their own success gives the stranger no new guesses.
  expect((await logIn(shop, ada.email, 'a wrong guess', fromAddress('203.0.113.8'))).status).toBe(429);
});

it('knows the network from which a customer registered or reset the password', async () => {
  const shop = await world();
  const who = registration();
  const options = { token: shop.token, headers: fromAddress(HOME) };
  expect((await shop.post('/customers/register', who, options)).status).toBe(201);
  await strangersGuess(shop, who.email);
  expect((await logIn(shop, who.email, PASSWORD, fromAddress(HOME))).status).toBe(200);
  const { token } = (await shop.post('/customers/password-resets', { email: who.email })).body;
  const away = { token: shop.token, headers: fromAddress('192.0.2.200') };
  const set = await shop.post(`/customers/password-resets/${token}`, { password: 'a new password' }, away);
  expect(set.status).toBe(200);
  await strangersGuess(shop, who.email);
  expect((await logIn(shop, who.email, 'a new password', fromAddress('192.0.2.200'))).status).toBe(200);
  // A source that knew the old password is unknown again.
  await strangersGuess(shop, who.email);
  expect((await logIn(shop, who.email, 'a new password', fromAddress(HOME))).status).toBe(429);
});

it('forgets a network when the password is changed from another one', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  expect((await logIn(shop, ada.email, PASSWORD, fromAddress(HOME))).status).toBe(200);
  const change = { password: 'a new password', current_password: PASSWORD };
  const away = withSession(ada.token, fromAddress('192.0.2.200'));
  expect((await shop.patch('/customers/me', change, away)).status).toBe(200);
  await strangersGuess(shop, ada.email);
  expect((await logIn(shop, ada.email, 'a new password', fromAddress(HOME))).status).toBe(429);
  expect((await logIn(shop, ada.email, 'a new password', fromAddress('192.0.2.200'))).status).toBe(200);
});

it('keeps nothing of an e-mail that no account has any more', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const kept = ({ email }: { email: string }) =>
    runInDurableObject(
      env.LOGIN_GUARD.getByName(`${shop.tenantId}:${sha256(email)}`),
      async (_, { storage }) => (await storage.list()).size,
    );
  expect(await kept(ada)).toBeGreaterThan(0);
  const moved = { email: `moved-${ada.email}`, current_password: PASSWORD };
  expect((await shop.patch('/customers/me', moved, withSession(ada.token))).status).toBe(200);
  expect(await kept(ada)).toBe(0);
  expect(await kept(moved)).toBeGreaterThan(0);
  expect((await shop.delete('/customers/me', withSession(ada.token))).status).toBe(204);
  expect(await kept(moved)).toBe(0);
});

it('knows the device that a login gave its session', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const { token } = (await logIn(shop, ada.email, PASSWORD, fromAddress(HOME))).body;
  await strangersGuess(shop, ada.email);
  const elsewhere = { ...fromAddress('192.0.2.77'), 'x-customer-token': token };
  expect((await logIn(shop, ada.email, PASSWORD, elsewhere)).status).toBe(200);
});

it("admits a device with an earlier session's token from anywhere, even if the session has ended", async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  await shop.post('/customers/logout', undefined, withSession(ada.token));
  await strangersGuess(shop, ada.email);
  const cafe = { ...fromAddress('198.51.100.9'), 'x-customer-token': ada.token };
  expect((await logIn(shop, ada.email, PASSWORD, cafe)).status).toBe(200);
  // Another customer's token, or a made-up one, is no device of hers.
  const eve = await registerCustomer(shop);
  for (const token of [eve.token, `cs_${'a'.repeat(32)}1${'b'.repeat(12)}`, 'nonsense']) {
    const headers = { ...fromAddress('198.51.100.10'), 'x-customer-token': token };
    expect((await logIn(shop, ada.email, PASSWORD, headers)).status).toBe(429);
  }
});

it('admits a known device from a network that others have exhausted with guesses', async () => {
  stopClock();
  const shop = await world();
  const ada = await registerCustomer(shop);
  for (let count = 0; count < 21; count++)
    await logIn(shop, registration().email, 'a wrong guess', fromAddress(HOME));
  expect((await logIn(shop, ada.email, PASSWORD, fromAddress(HOME))).status).toBe(429);
  const headers = { ...fromAddress(HOME), 'x-customer-token': ada.token };
  expect((await logIn(shop, ada.email, PASSWORD, headers)).status).toBe(200);
});

it('throttles known networks and devices that guess as well', async () => {
  stopClock();
  const shop = await world();
  const ada = await registerCustomer(shop);
  await logIn(shop, ada.email, PASSWORD, fromAddress(HOME));
  const device = { ...fromAddress(HOME), 'x-customer-token': ada.token };
  for (const headers of [fromAddress(HOME), device]) {
    const codes: number[] = [];
    for (let count = 0; count < 7; count++) {
      codes.push((await logIn(shop, ada.email, 'a wrong guess', headers)).status);
    }
    expect(codes).toEqual([401, 401, 401, 401, 401, 429, 429]);
  }
});

it('forgets a network 90 days after its last login, and all but the last ten', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  for (let count = 0; count < 11; count++) {
    expect((await logIn(shop, ada.email, PASSWORD, fromAddress(`192.0.2.${count}`))).status).toBe(200);
  }
  await strangersGuess(shop, ada.email);
  expect((await logIn(shop, ada.email, PASSWORD, fromAddress('192.0.2.0'))).status).toBe(429);
  expect((await logIn(shop, ada.email, PASSWORD, fromAddress('192.0.2.1'))).status).toBe(200);
  moveClock(91 * DAY);
  await strangersGuess(shop, ada.email);
  expect((await logIn(shop, ada.email, PASSWORD, fromAddress('192.0.2.10'))).status).toBe(429);
});
