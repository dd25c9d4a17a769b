import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { sha256 } from '../../src/kernel/crypto/crypto.ts';
import { networkOf } from '../../src/kernel/http/client-ip.ts';
import { fetchWith, recordedBindings } from '../support/faults/bindings.ts';
import { asAdmin, asDeveloper, Browser, invitation } from '../support/fixtures/browser.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { world } from '../support/world.ts';

/** How many of 30 sign-ins, each from another address, are tried. */
async function tried(
  path: '/admin/sign-in' | '/developer/sign-in',
  fields: Record<string, string>,
  address: (n: number) => string,
): Promise<number> {
  let count = 0;
  for (let n = 0; n < 30; n++) {
    const browser = new Browser();
    await browser.get(path);
    const { status } = await browser.post(path, fields, { 'cf-connecting-ip': address(n) });
    if (status === 401) count += 1;
    else expect(status).toBe(429);
  }
  return count;
}

it('throttles guesses at the super-admin token by IPv6 network', async () => {
  const fields = { secret: 'a wrong guess' };
  expect(await tried('/admin/sign-in', fields, (n) => `2001:db8:5:5::${n.toString(16)}`)).toBe(10);
  expect(await tried('/admin/sign-in', fields, (n) => (n % 2 ? '192.0.2.5' : '::ffff:192.0.2.5'))).toBe(10);
  const owner = new Browser();
  await owner.get('/admin/sign-in');
  const elsewhere = { 'cf-connecting-ip': '2001:db8:5:6::1' };
  const signedIn = await owner.post('/admin/sign-in', { secret: env.SUPER_ADMIN_TOKEN }, elsewhere);
  expect(signedIn.status).toBe(303);
});

it("ends the super-admin's sessions where their token is replaced", async () => {
  const admin = await asAdmin();
  expect((await admin.get('/admin')).status).toBe(200);
  const replaced = { ...env, SUPER_ADMIN_TOKEN: 'another-super-admin-token-0000000000' };
  const later = admin.through(({ method, headers, url }) =>
    fetchWith(replaced, method, new URL(url).pathname, null, { headers }),
  );
  expect((await later.get('/admin')).headers.get('location')).toBe('/admin/sign-in');
});

it("throttles guesses at a developer's password by IPv6 network", async () => {
  const shop = await world();
  const fields = { shop: shop.slug, email: 'ada@example.com', password: 'a wrong guess' };
  expect(await tried('/developer/sign-in', fields, (n) => `2001:db8:6:6::${n.toString(16)}`)).toBe(8);
});

it('refuses neither a network nor an account for the day that a clock was ahead', async () => {
  const shop = await world();
  await asDeveloper(shop.slug);
  const signIn = async (password: string) => {
    const browser = new Browser();
    await browser.get('/developer/sign-in');
    const fields = { shop: shop.slug, email: 'ada@example.com', password };
    const from = { 'cf-connecting-ip': '192.0.2.91' };
    return (await browser.post('/developer/sign-in', fields, from)).status;
  };
  moveClock(DAY);
  for (let guess = 0; guess < 8; guess++) expect(await signIn('a wrong guess')).toBe(401);
  expect(await signIn('correct horse battery')).toBe(429);
  moveClock(-DAY);
  expect(await signIn('correct horse battery')).toBe(303);
});

it('stores no digest of an address or an account that can be guessed without the master key', async () => {
  const shop = await world();
  const [email, network] = [`ada-${shop.slug}@example.com`, networkOf('192.0.2.77')];
  const browser = new Browser();
  await browser.get('/developer/sign-in');
  const fields = { shop: shop.slug, email, password: 'a wrong guess' };
  await browser.post('/developer/sign-in', fields, { 'cf-connecting-ip': '192.0.2.77' });
  const account = `${shop.slug}:${email}`;
  const guessable = [`network:${network}`, `pair:${account}:${network}`, `account:${account}`].map((one) =>
    sha256(one),
  );
  const { results } = await env.DB.prepare('SELECT source FROM panel_guesses').all<{ source: string }>();
  expect(results.length).toBeGreaterThanOrEqual(guessable.length);
  expect(results.filter(({ source }) => guessable.includes(source))).toEqual([]);
});

it("does not lock a developer out of a browser in which they signed in, whatever strangers' networks guess", async () => {
  stopClock();
  const shop = await world();
  const known = await asDeveloper(shop.slug);
  await known.get('/developer');
  await known.submit('/developer/sign-out', {});
  const colleague = await asDeveloper(shop.slug, undefined, 'bob@example.com');
  const signIn = async (browser: Browser, password: string, address: string) => {
    await browser.get('/developer/sign-in');
    const fields = { shop: shop.slug, email: 'ada@example.com', password };
    return (await browser.post('/developer/sign-in', fields, { 'cf-connecting-ip': address })).status;
  };
  let statuses: number[] = [];
  for (let n = 1; n <= 45 && statuses.at(-1) !== 429; n++) {
    statuses = [...statuses, await signIn(new Browser(), 'a wrong guess', `2001:db8:7:${n.toString(16)}::1`)];
  }
  expect(statuses.at(-1)).toBe(429);
  expect(await signIn(new Browser(), 'correct horse battery', '2001:db8:7:aaaa::1')).toBe(429);
  // A colleague's browser is a stranger's to this account.
  expect(await signIn(colleague, 'correct horse battery', '2001:db8:7:cccc::1')).toBe(429);
  // A network that nobody has used before, but the browser's cookie.
  expect(await signIn(known, 'correct horse battery', '2001:db8:7:bbbb::1')).toBe(303);
  // Nor may who has that cookie guess more often.
  const guesses = [];
  for (let n = 1; n <= 10; n++) guesses.push(await signIn(known, 'a wrong guess', `2001:db8:8:${n}::1`));
  expect(guesses.slice(-2)).toEqual([429, 429]);
});

it('makes the same queries for a wrong password and for an account that does not exist', async () => {
  const shop = await world();
  await asDeveloper(shop.slug);
  const guess = async (fields: Record<string, string>) => {
    const bindings = recordedBindings();
    const browser = new Browser().through(async (request) => {
      const { method, headers, url } = request;
      const body = method === 'POST' ? await request.text() : null;
      return fetchWith(bindings.env, method, new URL(url).pathname, null, { headers, body });
    });
    await browser.get('/developer/sign-in');
    const from = { 'cf-connecting-ip': '192.0.2.90' };
    expect((await browser.post('/developer/sign-in', fields, from)).status).toBe(401);
    return bindings.calls;
  };
  const fields = { shop: shop.slug, email: 'ada@example.com', password: 'a wrong guess' };
  const known = await guess(fields);
  expect(known.length).toBeGreaterThan(0);
  expect(await guess({ ...fields, email: 'nobody@example.com' })).toEqual(known);
  expect(await guess({ ...fields, shop: 'no-such-shop' })).toEqual(known);
});

it('allows a network sixty unknown links at once, then one a second', async () => {
  stopClock();
  const shop = await world();
  const link = await invitation(await asAdmin(), shop.slug);
  const open = async (path: string, network: string) =>
    (await new Browser().send('GET', path, null, { 'cf-connecting-ip': network })).status;
  const unknown = (network: string) => open(`/developer/invitations/${crypto.randomUUID()}`, network);
  for (let n = 0; n < 60; n++) expect(await unknown('192.0.2.61')).toBe(404);
  expect(await unknown('192.0.2.61')).toBe(429);
  expect(await unknown('192.0.2.62')).toBe(404);
  expect(await open(link, '192.0.2.62')).toBe(200);
  moveClock(1_000);
  expect(await unknown('192.0.2.61')).toBe(404);
});

it('asks the database for a network that was refused once a second', async () => {
  stopClock();
  const shop = await world();
  const bindings = recordedBindings();
  const stranger = new Browser().through(async (request) => {
    const { method, headers, url } = request;
    const body = method === 'POST' ? await request.text() : null;
    return fetchWith(bindings.env, method, new URL(url).pathname, null, { headers, body });
  });
  const guess = async () => {
    const fields = { shop: shop.slug, email: 'ada@example.com', password: 'a wrong guess' };
    const from = { 'cf-connecting-ip': '192.0.2.71' };
    return (await stranger.post('/developer/sign-in', fields, from)).status;
  };
  await stranger.get('/developer/sign-in');
  for (let n = 0; n < 8; n++) expect(await guess()).toBe(401);
  expect(await guess()).toBe(429);
  const trips = bindings.databaseTrips();
  for (let n = 0; n < 10; n++) expect(await guess()).toBe(429);
  expect(bindings.databaseTrips()).toBe(trips);
  moveClock(60_000);
  expect(await guess()).toBe(401);
});
