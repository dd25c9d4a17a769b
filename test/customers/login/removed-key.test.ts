import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { sha256 } from '../../../src/kernel/crypto/crypto.ts';
import { logIn, registerCustomer } from '../../support/fixtures/selling/customers.ts';
import { SECOND_MASTER_KEY } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

it('takes a new password of a customer whose former one was hashed under a master key that is gone', async () => {
  const shop = await world();
  const { email } = await registerCustomer(shop);
  const { MASTER_KEY_V1: _, ...rest } = { ...env, ...SECOND_MASTER_KEY };
  const guard = env.LOGIN_GUARD.getByName(`${shop.tenantId}:${sha256(email)}`);
  await runInDurableObject(guard, (object) => {
    // The object's own environment.
    (object as unknown as { env: object }).env = rest;
  });
  const refused = await logIn(shop, email);
  expect([refused.status, refused.body.code]).toEqual([401, 'invalid_credentials']);
  const { token } = (await shop.post('/customers/password-resets', { email })).body;
  const change = await shop.post(`/customers/password-resets/${token}`, { password: 'a new password' });
  expect(change.status).toBe(200);
  expect((await logIn(shop, email, 'a new password')).status).toBe(200);
});
