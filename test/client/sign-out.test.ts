import { expect, it } from 'vitest';
import { isApiError } from '../../client/src/index.ts';
import { world } from '../support/world.ts';
import { clientWith, recorded, worker } from './calls.ts';

const ADA = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };
const BOB = { email: 'bob@example.com', password: 'correct horse' };

it.each(['logout', 'eraseCurrent'] as const)(
  'stays signed in when something else responds to %s, so that it can be repeated',
  async (method) => {
    const shop = await world();
    const { fetch } = recorded('real', new Response('<html>Sign in to the Wi-Fi</html>'));
    const client = clientWith(shop.token, { fetch });
    await client.customers.register(ADA);
    const error = await client.customers[method]().catch((caught: unknown) => caught);
    expect(isApiError(error, 'invalid_response')).toBe(true);
    const { customerToken } = client.session;
    expect(customerToken).toMatch(/^cs_/);
    await client.customers[method]();
    expect(client.session.customerToken).toBeNull();
    const ended = clientWith(shop.token, { session: { customerToken } }).customers.getCurrent();
    await expect(ended).rejects.toMatchObject({ code: 'invalid_customer_token' });
  },
);

it('keeps a session that began before the response to the earlier logout came', async () => {
  const shop = await world();
  await clientWith(shop.token).customers.register({ name: 'Bob', ...BOB });
  const late = Promise.withResolvers<void>();
  const client = clientWith(shop.token, {
    fetch: async (url, init) => {
      const response = await worker(url, init);
      if (url.endsWith('/logout')) await late.promise;
      return response;
    },
  });
  await client.customers.register(ADA);
  const logout = client.customers.logout();
  await client.customers.login(BOB);
  late.resolve();
  await logout;
  expect((await client.customers.getCurrent()).name).toBe('Bob');
});
