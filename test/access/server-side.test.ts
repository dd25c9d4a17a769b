import { expect, it, vi } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { logIn, registration } from '../support/fixtures/selling/customers.ts';
import { admin, type Options, send, type World, world } from '../support/world.ts';

/** How many of 40 wrong logins, each with an invented address, are tried for this token. */
async function tried(token: string, headers: Record<string, string> = {}): Promise<number> {
  // A network gets another attempt every six seconds, which a slow machine takes for these.
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  let count = 0;
  for (let n = 0; n < 40; n++) {
    const { status } = await send('POST', '/v1/customers/login', {
      token,
      body: { email: registration().email, password: 'a wrong guess' },
      headers: { 'cf-connecting-ip': '203.0.113.9', 'x-buyer-ip': `198.51.100.${n}`, ...headers },
    });
    if (status === 401) count += 1;
    else expect(status).toBe(429);
  }
  clock.mockRestore();
  return count;
}

const tokenOf = async (shop: World, more: Parameters<World['register']>[0]) =>
  (await shop.register(more)).token;

it.each(['storefront', 'mobile'] as const)('believes no X-Buyer-IP of a %s', async (kind) => {
  const shop = await world();
  expect(await tried(await tokenOf(shop, { kind }))).toBe(20);
});

it('trusts X-Buyer-IP from integrations and server_side applications, but not with an Origin header', async () => {
  const shop = await world();
  expect(await tried(shop.token)).toBe(40);
  expect(await tried(await tokenOf(shop, { kind: 'storefront', server_side: true }))).toBe(40);
  const origin = { origin: 'https://shop.example.com' };
  expect(await tried(shop.token, origin)).toBe(20);
});

it('does not trust an integration with server_side false', async () => {
  const shop = await world();
  expect(await tried(await tokenOf(shop, { kind: 'integration', server_side: false }))).toBe(20);
});

it('ignores an invalid X-Buyer-IP from untrusted applications, and rejects it from trusted ones', async () => {
  const shop = await world();
  const token = await tokenOf(shop, { kind: 'storefront' });
  const bad: Options = { headers: { 'x-buyer-ip': 'nonsense' } };
  const body = { email: registration().email, password: 'a wrong guess' };
  expect((await send('POST', '/v1/customers/login', { ...bad, token, body })).status).toBe(401);
  expect((await logIn(shop, body.email, body.password, bad.headers)).status).toBe(422);
});

it('shows and sets server_side, defaults it by kind, and applies a change within two seconds', async () => {
  const shop = await world();
  const path = `/tenants/${shop.slug}/applications`;
  const shown = async (more: Parameters<World['register']>[0]) => (await shop.register(more)).server_side;
  expect(await shown({ kind: 'storefront' })).toBe(false);
  expect(await shown({ kind: 'mobile' })).toBe(false);
  expect(await shown({ kind: 'integration' })).toBe(true);
  const { id, token } = await shop.register({ kind: 'storefront' });
  expect(await tried(token)).toBe(20);
  const changed = await admin('PATCH', `${path}/${id}`, { server_side: true });
  expect([changed.status, changed.body.server_side]).toEqual([200, true]);
  expect((await admin('GET', `${path}/${id}`)).body.server_side).toBe(true);
  moveClock(2_000);
  expect(await tried(token)).toBe(40);
  const bad = await admin('PATCH', `${path}/${id}`, { server_side: 'yes' });
  expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ['server_side']]);
});
