import { fromOwnAddress, PASSWORD, registerCustomer } from '../../../support/fixtures/selling/customers.ts';
import { world } from '../../../support/world.ts';
import type { Copy, MakeCopy } from '../run-pair.ts';
import { bodyOf } from './shop.ts';

/** Two customers, one with an address and a link to a new password; a third e-mail address is free. */
export const customers: MakeCopy = async () => {
  const shop = await world({ name: 'Shop' });
  const { id, token } = await registerCustomer(shop, { email: 'ada@example.com' });
  const { token: other } = await registerCustomer(shop, { email: 'bob@example.com', name: 'Bob' });
  const h = { 'x-customer-token': token };
  const hb = { 'x-customer-token': other };
  const address = bodyOf(
    await shop.post('/customers/me/addresses', { country: 'AT', is_default: true }, { headers: h }),
  ).id;
  const { token: link } = bodyOf(await shop.post('/customers/password-resets', { email: 'ada@example.com' }));
  const reads = [`/customers/${id}`, '/customers', `/customers/${id}/addresses`, '/customers?q=ada'];
  const writes: Copy['writes'] = {
    register: {
      method: 'POST',
      path: '/customers/register',
      body: { name: 'Eve', email: 'eve@example.com', password: PASSWORD },
      headers: fromOwnAddress(),
    },
    register2: {
      method: 'POST',
      path: '/customers/register',
      body: { name: 'Eva', email: 'EVE@example.com', password: PASSWORD },
      headers: fromOwnAddress(),
    },
    emailEve: {
      method: 'PATCH',
      path: '/customers/me',
      body: { email: 'eve@example.com', current_password: PASSWORD },
      headers: h,
    },
    emailEveBob: {
      method: 'PATCH',
      path: '/customers/me',
      body: { email: 'eve@example.com', current_password: PASSWORD },
      headers: hb,
    },
    password2: {
      method: 'PATCH',
      path: '/customers/me',
      body: { password: 'a third password', current_password: PASSWORD },
      headers: h,
    },
    name: { method: 'PATCH', path: '/customers/me', body: { name: 'Countess' }, headers: h },
    metaA: { method: 'PATCH', path: `/customers/${id}`, body: { metadata: { a: '1' } } },
    metaB: { method: 'PATCH', path: `/customers/${id}`, body: { metadata: { b: '1' } } },
    reset: {
      method: 'POST',
      path: `/customers/password-resets/${link}`,
      body: { password: 'reset password' },
    },
    reset2: {
      method: 'POST',
      path: `/customers/password-resets/${link}`,
      body: { password: 'reset password 2' },
    },
    askReset: { method: 'POST', path: '/customers/password-resets', body: { email: 'ada@example.com' } },
    login: {
      method: 'POST',
      path: '/customers/login',
      body: { email: 'ada@example.com', password: PASSWORD },
    },
    logout: { method: 'POST', path: '/customers/logout', headers: h },
    erase: { method: 'DELETE', path: `/customers/${id}` },
    eraseMe: { method: 'DELETE', path: '/customers/me', headers: h },
    addressDefault: {
      method: 'POST',
      path: '/customers/me/addresses',
      body: { country: 'DE', is_default: true },
      headers: h,
    },
    addressDefault2: {
      method: 'POST',
      path: `/customers/${id}/addresses`,
      body: { country: 'FR', is_default: true },
    },
    addressCity: {
      method: 'PATCH',
      path: `/customers/me/addresses/${address}`,
      body: { city: 'Wien' },
      headers: h,
    },
    addressName: {
      method: 'PATCH',
      path: `/customers/${id}/addresses/${address}`,
      body: { first_name: 'Ada' },
    },
    addressNotDefault: {
      method: 'PATCH',
      path: `/customers/${id}/addresses/${address}`,
      body: { is_default: false },
    },
    addressGone: { method: 'DELETE', path: `/customers/me/addresses/${address}`, headers: h },
  };
  return { shop, reads, writes };
};
