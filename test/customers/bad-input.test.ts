import { beforeAll, expect, it } from 'vitest';
import {
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../support/fixtures/selling/customers.ts';
import { type World, world } from '../support/world.ts';

let shop: World;
beforeAll(async () => {
  shop = await world();
});

const ada = { name: 'Ada', email: 'ada@example.com', password: 'long enough' };

it.each([
  [{}, ['email', 'name', 'password']],
  [{ ...ada, name: ' ' }, ['name']],
  [{ ...ada, name: 'x'.repeat(121) }, ['name']],
  [{ ...ada, name: null }, ['name']],
  [{ ...ada, name: 'Ada\r\nBcc: eve@example.com' }, ['name']],
  [{ ...ada, email: 'ada' }, ['email']],
  [{ ...ada, email: 'ada@example' }, ['email']],
  [{ ...ada, email: 'ada@-example.com' }, ['email']],
  [{ ...ada, email: 'ada lovelace@example.com' }, ['email']],
  [{ ...ada, email: 'Ada <ada@example.com>' }, ['email']],
  [{ ...ada, email: 'ada@example.com\nbcc: eve@example.com' }, ['email']],
  [{ ...ada, email: `${'x'.repeat(65)}@example.com` }, ['email']],
  [{ ...ada, email: `ada@${'x.'.repeat(130)}com` }, ['email']],
  [{ ...ada, password: 'seven77' }, ['password']],
  [{ ...ada, password: '😀'.repeat(7) }, ['password']],
  [{ ...ada, password: 'x'.repeat(257) }, ['password']],
  [{ ...ada, password: 12345678 }, ['password']],
  [{ ...ada, phone: '' }, ['phone']],
  [{ ...ada, phone: '<script>' }, ['phone']],
  [{ ...ada, phone: '1'.repeat(41) }, ['phone']],
  [{ ...ada, admin: true }, ['admin']],
])('refuses to register %j', async (body, fields) => {
  const answer = await shop.post('/customers/register', body);
  expect([answer.status, answer.body.code]).toEqual([422, 'validation_error']);
  expect(Object.keys(answer.body.errors).sort()).toEqual(fields);
  expect(JSON.stringify(answer.body)).not.toContain('long enough');
});

it.each([
  { name: 'x'.repeat(120) },
  { name: '<b>Ada</b> 💙 O’Neil' },
  { email: `ada+tag_${crypto.randomUUID()}@sub.example.co.uk` },
  { email: `o'neil&sons/${crypto.randomUUID()}@example.com` },
  { password: '😀'.repeat(8) },
  { password: '        ' },
  { password: '𝒳'.repeat(256) },
  { phone: '(555) 123-4567' },
])('registers %j', async (more) => {
  const made = await shop.post('/customers/register', registration(more));
  expect(made.status, JSON.stringify(made.body)).toBe(201);
});

it.each([
  [{ email: ada.email }, ['password']],
  [{ password: ada.password }, ['email']],
  [{ email: ada.email, password: '' }, ['password']],
  [{ email: ada.email, password: 'x'.repeat(1_025) }, ['password']],
  [{ email: 'ada', password: ada.password }, ['email']],
  [{ email: ada.email, password: ada.password, remember: true }, ['remember']],
])('refuses to log in with %j', async (body, fields) => {
  const answer = await shop.post('/customers/login', body);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, fields]);
});

it('rejects invalid account changes and names each field', async () => {
  const { token } = await registerCustomer(shop);
  for (const [patch, field] of [
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
    [{ email: 'ada', current_password: PASSWORD }, 'email'],
    [{ email: 'eve@example.com' }, 'current_password'],
    [{ phone: 'x' }, 'phone'],
    [{ password: 'short', current_password: 'x' }, 'password'],
    [{ password: 'long enough' }, 'current_password'],
    [{ id: 1 }, 'id'],
  ] as const) {
    const answer = await shop.patch('/customers/me', patch, withSession(token));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
  }
});

it('rejects invalid resets', async () => {
  for (const body of [{}, { email: '' }, { email: 'ada' }, { email: ada.email, name: 'Ada' }]) {
    expect((await shop.post('/customers/password-resets', body)).status).toBe(422);
  }
  const weak = await shop.post(`/customers/password-resets/${'x'.repeat(40)}`, { password: 'short' });
  expect([weak.status, Object.keys(weak.body.errors)]).toEqual([422, ['password']]);
});
