import { beforeEach, expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { as, customer, login, PASSWORD, person, quickHashes } from '../support/fixtures/customers.ts';
import { world } from '../support/world.ts';

beforeEach(quickHashes);

const DAY = 24 * 3600_000;

it('registers a customer, logs in by e-mail in any case, and shows who it is', async () => {
  const shop = await world();
  const email = `Ada.${crypto.randomUUID()}@Example.COM`;
  const made = await shop.post('/customers/register', person({ email, phone: '+44 20 7946 0000' }));
  expect(made.status).toBe(201);
  const { customer, token } = made.body;
  expect(customer).toMatchObject({
    name: 'Ada Lovelace',
    email: email.toLowerCase(),
    phone: '+44 20 7946 0000',
  });
  expect((await shop.get('/customers/me', as(token))).body).toEqual(customer);
  const again = await login(shop, email.toUpperCase());
  expect([again.status, again.body.customer]).toEqual([200, customer]);
  expect(again.body.token).not.toBe(token);
  expect((await shop.get('/customers/me', as(again.body.token))).headers.get('cache-control')).toBe(
    'no-store',
  );
});

it('takes an e-mail once for each tenant', async () => {
  const [shop, other] = [await world(), await world()];
  const ada = await customer(shop);
  const taken = await shop.post('/customers/register', { ...person(), email: ada.email.toUpperCase() });
  expect([taken.status, taken.body.code]).toEqual([409, 'email_taken']);
  const elsewhere = await customer(other, { email: ada.email, password: 'another password' });
  expect((await login(shop, ada.email, 'another password')).body.code).toBe('invalid_credentials');
  const foreign = await shop.get('/customers/me', as(elsewhere.token));
  expect([foreign.status, foreign.body.code]).toEqual([401, 'invalid_customer_token']);
});

it('registers two at once under one e-mail only once', async () => {
  const shop = await world();
  const who = person();
  const answers = await Promise.all([
    shop.post('/customers/register', who),
    shop.post('/customers/register', who),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});

it('answers a wrong password and an unknown e-mail alike', async () => {
  const shop = await world();
  const ada = await customer(shop);
  const wrong = await login(shop, ada.email, 'wrong password');
  const unknown = await login(shop, person().email);
  for (const answer of [wrong, unknown]) {
    expect(answer.status).toBe(401);
    expect({ ...answer.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
  }
  expect(wrong.body.code).toBe('invalid_credentials');
});

it('takes a password however its letters were composed', async () => {
  const shop = await world();
  const ada = await customer(shop, { password: 'pass\u0065\u0301word ﬁn' });
  expect((await login(shop, ada.email, 'pass\u00e9word fin')).status).toBe(200);
});

it('changes what is named, and keeps the rest', async () => {
  const shop = await world();
  const ada = await customer(shop, { phone: '030 1234567' });
  const renamed = await shop.patch('/customers/me', { name: ' Countess ' }, as(ada.token));
  expect([renamed.status, renamed.body]).toEqual([
    200,
    expect.objectContaining({ name: 'Countess', email: ada.email, phone: '030 1234567' }),
  ]);
  const bare = await shop.patch('/customers/me', { phone: null }, as(ada.token));
  expect(bare.body).not.toHaveProperty('phone');
  expect((await shop.patch('/customers/me', {}, as(ada.token))).body).toEqual(bare.body);
  const email = person().email;
  const proof = { current_password: PASSWORD };
  expect((await shop.patch('/customers/me', { email, ...proof }, as(ada.token))).body.email).toBe(email);
  expect((await login(shop, ada.email)).status).toBe(401);
  expect((await login(shop, email)).status).toBe(200);
  const bob = await customer(shop);
  const taken = await shop.patch('/customers/me', { email, ...proof }, as(bob.token));
  expect([taken.status, taken.body.code]).toEqual([409, 'email_taken']);
  expect((await shop.patch('/customers/me', { email: bob.email, ...proof }, as(bob.token))).status).toBe(200);
});

it('takes the current password for a new one, which ends all other sessions', async () => {
  const shop = await world();
  const ada = await customer(shop);
  const other = (await login(shop, ada.email)).body.token;
  const next = 'a new password';
  const without = await shop.patch('/customers/me', { password: next }, as(ada.token));
  expect([without.status, without.body.errors]).toEqual([
    422,
    { current_password: ['is required to change the e-mail or password'] },
  ]);
  const wrong = await shop.patch(
    '/customers/me',
    { password: next, current_password: 'nope' },
    as(ada.token),
  );
  expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials']);
  expect((await shop.get('/customers/me', as(other))).status).toBe(200);
  const set = await shop.patch(
    '/customers/me',
    { password: next, current_password: PASSWORD },
    as(ada.token),
  );
  expect(set.status).toBe(200);
  expect((await shop.get('/customers/me', as(ada.token))).status).toBe(200);
  expect((await shop.get('/customers/me', as(other))).status).toBe(401);
  expect((await login(shop, ada.email)).status).toBe(401);
  expect((await login(shop, ada.email, next)).status).toBe(200);
});

it('erases a person: the account is gone, its e-mail free', async () => {
  const shop = await world();
  const ada = await customer(shop);
  const second = (await login(shop, ada.email)).body.token;
  expect((await shop.delete('/customers/me', as(ada.token))).status).toBe(204);
  for (const token of [ada.token, second]) {
    expect((await shop.get('/customers/me', as(token))).body.code).toBe('invalid_customer_token');
  }
  expect((await login(shop, ada.email)).body.code).toBe('invalid_credentials');
  const anew = await customer(shop, { email: ada.email });
  expect(anew.id).not.toBe(ada.id);
});

it('ends a session by logging out, and no other', async () => {
  const shop = await world();
  const ada = await customer(shop);
  const other = (await login(shop, ada.email)).body.token;
  for (const _ of ['once', 'again']) {
    expect((await shop.post('/customers/logout', undefined, as(ada.token))).body).toEqual({
      logged_out: true,
    });
  }
  expect((await shop.get('/customers/me', as(ada.token))).status).toBe(401);
  expect((await shop.get('/customers/me', as(other))).status).toBe(200);
});

it('lets a session live thirty days after its last use', async () => {
  const shop = await world();
  const ada = await customer(shop);
  const idle = (await login(shop, ada.email)).body.token;
  moveClock(29 * DAY);
  expect((await shop.get('/customers/me', as(ada.token))).status).toBe(200);
  moveClock(29 * DAY);
  expect((await shop.get('/customers/me', as(ada.token))).status).toBe(200);
  expect((await shop.get('/customers/me', as(idle))).body.code).toBe('invalid_customer_token');
  moveClock(30 * DAY + 1_000);
  expect((await shop.get('/customers/me', as(ada.token))).body.code).toBe('invalid_customer_token');
});

it.each([
  ['none', undefined],
  ['an empty one', ''],
  ['a made-up one', `cs_${'a'.repeat(32)}1${'b'.repeat(12)}`],
  ['a reset', 'pr'],
  ['a long one', 'x'.repeat(4_000)],
])('refuses as a session: %s', async (_, token) => {
  const shop = await world();
  let sent = token;
  if (token === 'pr') {
    const ada = await customer(shop);
    sent = (await shop.post('/customers/password-resets', { email: ada.email })).body.token;
  }
  const answer = await shop.get('/customers/me', sent === undefined ? {} : as(sent));
  expect([answer.status, answer.body.code]).toEqual([401, 'invalid_customer_token']);
  // The session comes before what the body says.
  const body = await shop.patch('/customers/me', { nonsense: 1 }, sent === undefined ? {} : as(sent));
  expect(body.body.code).toBe('invalid_customer_token');
});
