import { env } from 'cloudflare:workers';
import nodeCrypto from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { LoginGate, LoginGuard } from '../../../src/customers/index.ts';
import { FAILED_ATTEMPT_LIMIT, waitAfter } from '../../../src/customers/login/backoff.ts';
import type { HashRequest } from '../../../src/customers/login/login-gate.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { checkPassword, hashPassword } from '../../../src/kernel/crypto/password.ts';
import { failStatements } from '../../support/faults/database.ts';
import { evict } from '../../support/faults/injector.ts';
import {
  fromAddress,
  logIn,
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../../support/fixtures/selling/customers.ts';
import { realPasswordHashes } from '../../support/runtime/password-hashes.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';
import { type World, world } from '../../support/world.ts';

afterEach(() => void vi.restoreAllMocks());

const guess = (shop: World, email: string, address: string) =>
  logIn(shop, email, 'a wrong guess', fromAddress(address));

it('tries few of 250 guesses at one account in ten minutes, and does not slow other accounts', async () => {
  const shop = await world();
  const [ada, bob] = [await registerCustomer(shop), await registerCustomer(shop)];
  let tried = 0;
  for (let count = 0; count < 250; count++) {
    const answer = await guess(shop, ada.email, `10.0.${count}.1`);
    if (answer.status === 401) tried += 1;
    else expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
    if (count % 60 === 25) expect((await logIn(shop, bob.email)).status).toBe(200);
    moveClock(2_400);
  }
  expect(tried).toBeLessThan(30);
  expect(tried).toBeGreaterThan(5);

  const slowed = await logIn(shop, ada.email);
  expect(slowed.status).toBe(429);
  const wait = Number(slowed.headers.get('retry-after'));
  expect(wait).toBeLessThanOrEqual(15 * 60);
  moveClock(wait * 1_000);
  expect((await logIn(shop, ada.email)).status).toBe(200);
  expect((await guess(shop, ada.email, '10.9.9.9')).status).toBe(401);
  expect((await logIn(shop, ada.email)).status).toBe(200);
});

it('doubles the wait after each wrong guess, up to 15 minutes', () => {
  expect([0, 1, 4, 5, 6, 7, 14, 15, 100, 1e9].map(waitAfter)).toEqual([
    ...[0, 0, 0, 1_000, 2_000, 4_000, 512_000, 900_000, 900_000, 900_000],
  ]);
});

it('checks concurrent guesses at one account one after the other', async () => {
  stopClock();
  const shop = await world();
  const ada = await registerCustomer(shop);
  const many = Array.from({ length: 20 }, (_, count) => guess(shop, ada.email, `10.0.${count}.1`));
  const tried = (await Promise.all(many)).filter(({ status }) => status === 401);
  expect(tried.length).toBe(5);
});

it('limits one address across all accounts, and counts only wrong guesses', async () => {
  stopClock();
  const shop = await world();
  const ada = await registerCustomer(shop);
  const [home, away] = ['2001:db8:1:2::3', '2001:db8:1:3::3'];
  for (let count = 0; count < 25; count++) {
    expect((await logIn(shop, ada.email, PASSWORD, fromAddress(home))).status).toBe(200);
  }
  for (let count = 0; count < 20; count++) {
    expect((await guess(shop, registration().email, `2001:db8:1:2::${count}`)).status).toBe(401);
  }
  const refused = await logIn(shop, ada.email, PASSWORD, fromAddress(home));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(6);
  const taken = { ...registration(), email: ada.email };
  const probe = await shop.post('/customers/register', taken, {
    token: shop.token,
    headers: fromAddress(home),
  });
  expect(probe.status).toBe(429);
  expect((await logIn(shop, ada.email, PASSWORD, fromAddress(away))).status).toBe(200);
  moveClock(6_000);
  expect((await guess(shop, registration().email, home)).status).toBe(401);
  expect((await guess(shop, registration().email, home)).status).toBe(429);
  moveClock(120_000);
  expect((await logIn(shop, ada.email, PASSWORD, fromAddress(home))).status).toBe(200);
});

it.each([
  ['a browser', { origin: 'https://shop.example.com', 'x-buyer-ip': '198.51.100.7' }],
  ['a server that names nobody', {}],
])('counts the connecting address of %s', async (_, headers) => {
  stopClock();
  const shop = await world();
  const connecting = { ...headers, 'cf-connecting-ip': '203.0.113.9' };
  for (let count = 0; count < 20; count++) {
    const answer = await logIn(shop, registration().email, 'a wrong guess', connecting);
    expect(answer.status).toBe(401);
  }
  expect((await guess(shop, registration().email, '203.0.113.9')).status).toBe(429);
  expect((await guess(shop, registration().email, '::ffff:203.0.113.9')).status).toBe(429);
  expect((await guess(shop, registration().email, '198.51.100.7')).status).toBe(401);
});

it.each(['nonsense', '', '1.2.3', '1.2.3.4, 5.6.7.8', '1.2.3.4:80', '[::1]', '::1%eth0'])(
  "rejects %j as a shopper's IP address",
  async (address) => {
    const shop = await world();
    const answer = await guess(shop, registration().email, address);
    expect([answer.status, answer.body.errors]).toEqual([422, { 'X-Buyer-IP': ['must be one IP address'] }]);
  },
);

const hashRequest = (network: string): HashRequest => ({ network, known: false, registrations: null });

it('hashes at most four passwords of a tenant at once, and queues the next ones', async () => {
  const gate = env.LOGIN_GATE.getByName(`test-${crypto.randomUUID()}`);
  const tickets: string[] = [];
  for (let count = 0; count < 4; count++) {
    const entry = await gate.enter(hashRequest(`n${count}`));
    if (entry.ok) tickets.push(entry.ticket);
  }
  expect(tickets.length).toBe(4);
  const fifth = gate.enter(hashRequest('fifth'));
  await gate.leave(tickets[0] ?? '', true);
  expect((await fifth).ok).toBe(true);
  // Nobody leaves: after two seconds the sixth is refused, and not charged for it.
  expect(await gate.enter(hashRequest('sixth'))).toEqual({ ok: false, retryIn: 1_000 });
  // Places of those who died are free again.
  moveClock(10_000);
  expect((await gate.enter(hashRequest('sixth'))).ok).toBe(true);
});

it('does not take the success of a login from before a restart for that of a guess', async () => {
  const gate = env.LOGIN_GATE.getByName(`test-${crypto.randomUUID()}`);
  const login = await gate.enter(hashRequest('home'));
  await evict(gate);
  let tried = 0;
  for (let count = 0; count < 25; count++) {
    const guess = await gate.enter(hashRequest('guesser'));
    if (login.ok) await gate.leave(login.ticket, true);
    if (!guess.ok) continue;
    tried += 1;
    await gate.leave(guess.ticket, false);
  }
  expect(tried).toBe(FAILED_ATTEMPT_LIMIT.burst);
});

it('queues at most 200 logins of a tenant', async () => {
  const gate = env.LOGIN_GATE.getByName(`test-${crypto.randomUUID()}`);
  const entries = Array.from({ length: 230 }, (_, count) => gate.enter(hashRequest(`n${count}`)));
  const refused = await Promise.race([Promise.all(entries.slice(210)), Promise.all(entries.slice(4, 204))]);
  // Those beyond the queue are refused at once, before the two seconds of the others are over.
  expect(refused).toEqual(Array.from({ length: 20 }, () => ({ ok: false, retryIn: 1_000 })));
  await Promise.all(entries);
});

it('does the same work for a wrong password and an unknown e-mail', async () => {
  realPasswordHashes();
  const shop = await world();
  const ada = await registerCustomer(shop);
  const primary: D1Database = Object.getPrototypeOf(env.DB);
  const work = {
    scrypt: vi.spyOn(nodeCrypto, 'scryptSync'),
    verify: vi.spyOn(LoginGuard.prototype, 'verify'),
    enter: vi.spyOn(LoginGate.prototype, 'enter'),
    leave: vi.spyOn(LoginGate.prototype, 'leave'),
    prepare: vi.spyOn(primary, 'prepare'),
    batch: vi.spyOn(primary, 'batch'),
  };
  const measure = async (email: string) => {
    for (const spy of Object.values(work)) spy.mockClear();
    expect((await logIn(shop, email, 'a wrong guess')).status).toBe(401);
    const calls = Object.entries(work).map(([name, spy]) => [name, spy.mock.calls.length]);
    // Everything that goes into scrypt but the secrets: sizes and cost.
    const [password, salt, length, cost] = work.scrypt.mock.calls[0] ?? [];
    const size = (bytes: unknown) => (bytes as Uint8Array).byteLength;
    return { calls, scrypt: [size(password), size(salt), length, cost] };
  };
  const known = await measure(ada.email);
  const unknown = await measure(registration().email);
  expect(unknown).toEqual(known);
  expect(known.scrypt).toEqual([32, 16, 32, { N: 16_384, r: 8, p: 5 }]);
  expect(Object.fromEntries(known.calls)).toEqual({
    scrypt: 1,
    verify: 1,
    enter: 1,
    leave: 1,
    prepare: 1,
    batch: 0,
  });
});

it('hashes under the newest master key, and detects outdated hashes', () => {
  const key = (text: string) => Buffer.from(text.padEnd(32)).toString('base64');
  const [old, both] = [{ MASTER_KEY_V1: key('a') }, { MASTER_KEY_V1: key('a'), MASTER_KEY_V2: key('b') }];
  const stored = hashPassword(old, 'my password');
  expect(stored).toMatch(/^\$scrypt\$v=1\$ln=14,r=8,p=5\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(checkPassword(old, 'my password', stored)).toEqual({ right: true, stale: false });
  expect(checkPassword(both, 'my password', stored)).toEqual({ right: true, stale: true });
  expect(checkPassword(both, 'your password', stored)).toEqual({ right: false, stale: false });
  expect(hashPassword(both, 'my password')).toMatch(/^\$scrypt\$v=2\$/);
  expect(checkPassword({ MASTER_KEY_V1: key('c') }, 'my password', stored).right).toBe(false);
  expect(checkPassword({ MASTER_KEY_V2: key('b') }, 'my password', stored).right).toBe(false);
  expect(checkPassword(old, '', null)).toEqual({ right: false, stale: false });
});

it('rehashes a password of a former cost at login', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const stored = async () =>
    (
      await storeOf(shop)
        .prepare('SELECT password FROM customers WHERE id = ?')
        .bind(ada.id)
        .first<{ password: string }>()
    )?.password;
  const weak = weakHash(PASSWORD);
  await storeOf(shop).prepare('UPDATE customers SET password = ? WHERE id = ?').bind(weak, ada.id).run();
  expect((await logIn(shop, ada.email, 'a wrong guess')).status).toBe(401);
  expect(await stored()).toBe(weak);
  expect((await logIn(shop, ada.email)).status).toBe(200);
  expect(await stored()).toMatch(/^\$scrypt\$v=1\$ln=14,r=8,p=5\$/);
  expect((await logIn(shop, ada.email)).status).toBe(200);
});

/** A hash as a former version would have made it: at a fraction of the cost. */
function weakHash(password: string): string {
  const real = nodeCrypto.scryptSync;
  const spy = vi
    .spyOn(nodeCrypto, 'scryptSync')
    .mockImplementation((text, salt, length) => real(text, salt, length, { N: 2 ** 10, r: 8, p: 1 }));
  const hash = hashPassword(env, password).replace('ln=14,r=8,p=5', 'ln=10,r=8,p=1');
  spy.mockRestore();
  return hash;
}

it('never logs an e-mail, a password or a token, whatever fails', async () => {
  const logged: string[] = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...args) => void logged.push(args.map(String).join(' ')));
  }
  const shop = await world();
  const ada = await registerCustomer(shop);
  const reset = (await shop.post('/customers/password-resets', { email: ada.email })).body.token;
  const restore = failStatements(/customers|customer_sessions|password_resets/);
  for (const answer of [
    await logIn(shop, ada.email),
    await shop.post('/customers/register', registration()),
    await shop.patch('/customers/me', { name: 'Eve' }, withSession(ada.token)),
    await shop.post('/customers/password-resets', { email: ada.email }),
    await shop.post(`/customers/password-resets/${reset}`, { password: PASSWORD }),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
  }
  restore();
  expect((await logIn(shop, ada.email)).status).toBe(200);
  expect(logged.length).toBeGreaterThan(0);
  for (const line of logged) {
    for (const secret of [ada.email, '@example.com', PASSWORD, ada.token, reset, shop.token]) {
      expect(line).not.toContain(secret);
    }
  }
});
