import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { beforeBatch, beforeRun } from '../support/faults/database.ts';
import {
  logIn,
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../support/fixtures/selling/customers.ts';
import { world } from '../support/world.ts';

it('registers a customer, logs in by e-mail in any case, and shows the account', async () => {
  const shop = await world();
  const email = `Ada.${crypto.randomUUID()}@Example.COM`;
  const made = await shop.post('/customers/register', registration({ email, phone: '+44 20 7946 0000' }));
  expect(made.status).toBe(201);
  const { customer, token } = made.body;
  expect(customer).toMatchObject({
    name: 'Ada Lovelace',
    email: email.toLowerCase(),
    phone: '+44 20 7946 0000',
  });
  expect((await shop.get('/customers/me', withSession(token))).body).toEqual(customer);
  const again = await logIn(shop, email.toUpperCase());
  expect([again.status, again.body.customer]).toEqual([200, customer]);
  expect(again.body.token).not.toBe(token);
  expect((await shop.get('/customers/me', withSession(again.body.token))).headers.get('cache-control')).toBe(
    'no-store',
  );
});

it('accepts an e-mail once per tenant', async () => {
  const [shop, other] = [await world(), await world()];
  const ada = await registerCustomer(shop);
  const taken = await shop.post('/customers/register', { ...registration(), email: ada.email.toUpperCase() });
  expect([taken.status, taken.body.code]).toEqual([409, 'email_taken']);
  const elsewhere = await registerCustomer(other, { email: ada.email, password: 'another password' });
  expect((await logIn(shop, ada.email, 'another password')).body.code).toBe('invalid_credentials');
  const foreign = await shop.get('/customers/me', withSession(elsewhere.token));
  expect([foreign.status, foreign.body.code]).toEqual([401, 'invalid_customer_token']);
});

it('registers one of two concurrent customers with one e-mail', async () => {
  const shop = await world();
  const who = registration();
  const answers = await Promise.all([
    shop.post('/customers/register', who),
    shop.post('/customers/register', who),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});

it('answers a wrong password like an unknown e-mail', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const wrong = await logIn(shop, ada.email, 'wrong password');
  const unknown = await logIn(shop, registration().email);
  for (const answer of [wrong, unknown]) {
    expect(answer.status).toBe(401);
    expect({ ...answer.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
  }
  expect(wrong.body.code).toBe('invalid_credentials');
});

it('accepts a password in any Unicode composition', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop, { password: 'pass\u0065\u0301word ﬁn' });
  expect((await logIn(shop, ada.email, 'pass\u00e9word fin')).status).toBe(200);
});

it('changes only the fields of the PATCH', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop, { phone: '030 1234567' });
  const renamed = await shop.patch('/customers/me', { name: ' Countess ' }, withSession(ada.token));
  expect([renamed.status, renamed.body]).toEqual([
    200,
    expect.objectContaining({ name: 'Countess', email: ada.email, phone: '030 1234567' }),
  ]);
  const bare = await shop.patch('/customers/me', { phone: null }, withSession(ada.token));
  expect(bare.body).not.toHaveProperty('phone');
  expect((await shop.patch('/customers/me', {}, withSession(ada.token))).body).toEqual(bare.body);
  const email = registration().email;
  const proof = { current_password: PASSWORD };
  expect((await shop.patch('/customers/me', { email, ...proof }, withSession(ada.token))).body.email).toBe(
    email,
  );
  expect((await logIn(shop, ada.email)).status).toBe(401);
  expect((await logIn(shop, email)).status).toBe(200);
  const bob = await registerCustomer(shop);
  const taken = await shop.patch('/customers/me', { email, ...proof }, withSession(bob.token));
  expect([taken.status, taken.body.code]).toEqual([409, 'email_taken']);
  expect(
    (await shop.patch('/customers/me', { email: bob.email, ...proof }, withSession(bob.token))).status,
  ).toBe(200);
});

it('requires the current password for a new one, which ends all other sessions', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const other = (await logIn(shop, ada.email)).body.token;
  const next = 'a new password';
  const without = await shop.patch('/customers/me', { password: next }, withSession(ada.token));
  expect([without.status, without.body.errors]).toEqual([
    422,
    { current_password: ['is required to change the e-mail or password'] },
  ]);
  const wrong = await shop.patch(
    '/customers/me',
    { password: next, current_password: 'nope' },
    withSession(ada.token),
  );
  expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials']);
  expect((await shop.get('/customers/me', withSession(other))).status).toBe(200);
  const set = await shop.patch(
    '/customers/me',
    { password: next, current_password: PASSWORD },
    withSession(ada.token),
  );
  expect(set.status).toBe(200);
  expect((await shop.get('/customers/me', withSession(ada.token))).status).toBe(200);
  expect((await shop.get('/customers/me', withSession(other))).status).toBe(401);
  expect((await logIn(shop, ada.email)).status).toBe(401);
  expect((await logIn(shop, ada.email, next)).status).toBe(200);
});

it('opens no session with a password that changes during the login', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const change = { password: 'a new password', current_password: PASSWORD };
  const changed = beforeRun(/insert into customer_sessions/i, async () => {
    expect((await shop.patch('/customers/me', change, withSession(ada.token))).status).toBe(200);
  });
  const late = await logIn(shop, ada.email);
  await changed;
  expectProblem(late, 401, 'invalid_credentials');
});

it.each([
  ['password', { password: 'my new password', current_password: PASSWORD }],
  ['name', { email: 'ada@new.example.com', current_password: PASSWORD }],
])('refuses a change if another changes the %s meanwhile', async (field, change) => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const theirs =
    field === 'name' ? { name: 'Ada King' } : { password: 'their password', current_password: PASSWORD };
  beforeBatch(/update "customers"/i, async () => {
    expect((await shop.patch('/customers/me', theirs, withSession(ada.token))).status).toBe(200);
  });
  expectProblem(await shop.patch('/customers/me', change, withSession(ada.token)), 409, 'conflict');
});

it('erases a customer: the account is gone and its e-mail free', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const second = (await logIn(shop, ada.email)).body.token;
  expect((await shop.delete('/customers/me', withSession(ada.token))).status).toBe(204);
  for (const token of [ada.token, second]) {
    expect((await shop.get('/customers/me', withSession(token))).body.code).toBe('invalid_customer_token');
  }
  expect((await logIn(shop, ada.email)).body.code).toBe('invalid_credentials');
  const anew = await registerCustomer(shop, { email: ada.email });
  expect(anew.id).not.toBe(ada.id);
});

it('ends only its own session by logging out', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const other = (await logIn(shop, ada.email)).body.token;
  for (const _ of ['once', 'again']) {
    expect((await shop.post('/customers/logout', undefined, withSession(ada.token))).body).toEqual({
      logged_out: true,
    });
  }
  expect((await shop.get('/customers/me', withSession(ada.token))).status).toBe(401);
  expect((await shop.get('/customers/me', withSession(other))).status).toBe(200);
});

it('expires a session thirty days after its last use', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const idle = (await logIn(shop, ada.email)).body.token;
  moveClock(29 * DAY);
  expect((await shop.get('/customers/me', withSession(ada.token))).status).toBe(200);
  moveClock(29 * DAY);
  expect((await shop.get('/customers/me', withSession(ada.token))).status).toBe(200);
  expect((await shop.get('/customers/me', withSession(idle))).body.code).toBe('invalid_customer_token');
  moveClock(30 * DAY + 1_000);
  expect((await shop.get('/customers/me', withSession(ada.token))).body.code).toBe('invalid_customer_token');
});

it.each([
  ['none', undefined],
  ['an empty one', ''],
  ['a made-up one', `cs_${'a'.repeat(32)}1${'b'.repeat(12)}`],
  ['a reset', 'pr'],
  ['a long one', 'x'.repeat(4_000)],
])('rejects as a session: %s', async (_, token) => {
  const shop = await world();
  let sent = token;
  if (token === 'pr') {
    const ada = await registerCustomer(shop);
    sent = (await shop.post('/customers/password-resets', { email: ada.email })).body.token;
  }
  const answer = await shop.get('/customers/me', sent === undefined ? {} : withSession(sent));
  expect([answer.status, answer.body.code]).toEqual([401, 'invalid_customer_token']);
  // The session comes before what the body says.
  const body = await shop.patch(
    '/customers/me',
    { nonsense: 1 },
    sent === undefined ? {} : withSession(sent),
  );
  expect(body.body.code).toBe('invalid_customer_token');
});

it('takes an e-mail address in the letters of its domain, and knows it in both forms', async () => {
  const shop = await world();
  const made = await shop.post('/customers/register', registration({ email: 'Ada@Müller.example' }));
  expect([made.status, made.body.customer?.email]).toEqual([201, 'ada@xn--mller-kva.example']);
  for (const email of ['ada@MÜLLER.example', 'ada@mu\u0308ller.example', 'ada@xn--mller-kva.example']) {
    const login = await shop.post('/customers/login', { email, password: registration({ email }).password });
    expect([email, login.status]).toEqual([email, 200]);
  }
  const found = await shop.get(`/customers?q=${encodeURIComponent('ada@müller.example')}`);
  expect(found.body.meta.total).toBe(1);
  for (const email of [
    '太郎@example.com',
    'ada@mül ler.example',
    'ada@mü/ler.example',
    `ada@${'ü'.repeat(240)}.example`,
  ]) {
    expectProblem(await shop.post('/customers/register', registration({ email })), 422, 'validation_error');
  }
});

it.each([
  ['０９０ー１２３４−５６７８', '090-1234-5678'],
  ['٠٥٠ ١٢٣ ٤٥٦', '050 123 456'],
  ['\u202a+965\u00a01234\u20115678\u202c', '+965 1234-5678'],
  ['（०११） २३४', '(011) 234'],
])('takes a telephone number as a keyboard or a list of contacts writes it: %s', async (phone, stored) => {
  const shop = await world();
  const made = await shop.post('/customers/register', registration({ phone }));
  expect([made.status, made.body.customer?.phone]).toEqual([201, stored]);
});
