import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { HOUR, MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith, interceptBindings } from '../../support/faults/bindings.ts';
import { loseResponse, watchStatements } from '../../support/faults/database.ts';
import { asDeveloper, Browser, fieldsOf } from '../../support/fixtures/browser.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';
import { world } from '../../support/world.ts';
import { idOf, signIn } from './colleagues.ts';

const PASSWORD = 'correct horse battery';

it('changes a password with the current one, and ends the other sessions', async () => {
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  const abroad = await signIn(shop, 'ada@example.com', PASSWORD);
  await ada.get('/developer/account/password');
  const change = (current_password: string, password: string) =>
    ada.submit('/developer/account/password', { current_password, password });
  const wrong = await change('not this one', 'a new long phrase');
  expect([wrong.status, wrong.html.includes('The current password is incorrect.')]).toEqual([403, true]);
  expect((await abroad.get('/developer')).status).toBe(200);
  const short = await change(PASSWORD, 'short');
  expect(short.status).toBe(422);
  const done = await change(PASSWORD, 'a new long phrase');
  expect(done.html).toContain('Your password is changed.');
  expect((await abroad.get('/developer')).status).toBe(303);
  expect((await signIn(shop, 'ada@example.com', PASSWORD)).last.status).toBe(401);
  expect((await (await signIn(shop, 'ada@example.com', 'a new long phrase')).get('/developer')).status).toBe(
    200,
  );
});

it('says that a password is changed when the answer to its form was lost', async () => {
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  const path = '/developer/account/password';
  const typed = { current_password: PASSWORD, password: 'a new long phrase' };
  const form = { ...fieldsOf((await ada.get(path)).html, path), ...typed };
  loseResponse(/update "panel_users" set "password_hash"/i);
  const lost = await ada.post(path, form);
  expect(lost.status).toBe(503);
  const again = { ...fieldsOf(lost.html, path), ...typed };
  // Another password than the one that was set is not.
  expect((await ada.post(path, { ...again, password: 'another long phrase' })).status).toBe(403);
  const done = await ada.submit(path, again);
  expect(done.html).toContain('Your password is changed.');
  expect((await shop.get('/audit?action=changePassword')).body.data).toHaveLength(1);
  // Nor is a new form, which guesses at both.
  const other = { ...fieldsOf((await ada.get(path)).html, path), ...typed };
  expect((await ada.post(path, other)).status).toBe(403);
});

it('opens no session for a sign-in with the old password that a change of it overtakes', async () => {
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  await ada.get('/developer/account/password');
  let isDue = false;
  const stop = watchStatements((text) => {
    isDue ||= /insert into "?panel_sessions/i.test(text);
  });
  const overtake = async () => {
    isDue = false;
    stop();
    const change = { current_password: PASSWORD, password: 'a new long phrase' };
    expect((await ada.post('/developer/account/password', change)).status).toBe(303);
  };
  const bindings = interceptBindings(['DB'], (name, call) =>
    isDue && /\.(run|raw|all|batch)$/.test(name) ? overtake().then(call) : call(),
  );
  const thief = new Browser().through(async ({ method, headers, url, body }) =>
    fetchWith(bindings, method, new URL(url).pathname, null, { headers, body }),
  );
  await thief.get('/developer/sign-in');
  const known = { shop: shop.slug, email: 'ada@example.com', password: PASSWORD };
  const late = await thief.post('/developer/sign-in', known);
  expect([late.status, late.html.includes('The shop, e-mail or password is incorrect.')]).toEqual([
    401,
    true,
  ]);
  expect((await thief.get('/developer')).status).toBe(303);
  expect((await ada.get('/developer')).status).toBe(200);
});

it('throttles guesses at the current password', async () => {
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  await ada.get('/developer/account/password');
  const statuses: number[] = [];
  for (let guess = 0; guess < 10; guess++) {
    const fields = { current_password: `guess ${guess}`, password: 'a new long phrase' };
    statuses.push((await ada.post('/developer/account/password', fields)).status);
  }
  expect(statuses).toEqual([...Array(8).fill(403), 429, 429]);
});

it('forgets the guesses at a current password once it was right', async () => {
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  await ada.get('/developer/account/password');
  const from = { 'cf-connecting-ip': '192.0.2.73' };
  const change = async (current_password: string, password: string) =>
    (await ada.post('/developer/account/password', { current_password, password }, from)).status;
  for (let guess = 0; guess < 6; guess++) expect(await change('a guess', 'a new long phrase')).toBe(403);
  expect(await change(PASSWORD, 'a new long phrase')).toBe(303);
  for (let guess = 0; guess < 6; guess++) expect(await change('a guess', PASSWORD)).toBe(403);
});

it('counts guesses at the current password from all networks together, as those of a sign-in', async () => {
  stopClock();
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  // Somebody who has a session's cookie, and no other of its browser.
  const thief = new Browser();
  for (const [name, value] of ada.cookies) if (name.endsWith('sfe-developer')) thief.cookies.set(name, value);
  await thief.get('/developer/account/password');
  const statuses = [];
  for (let guess = 1; guess <= 42; guess++) {
    const fields = { current_password: `guess ${guess}`, password: 'a new long phrase' };
    const from = { 'cf-connecting-ip': `2001:db8:9:${guess.toString(16)}::1` };
    statuses.push((await thief.post('/developer/account/password', fields, from)).status);
  }
  expect(statuses).toEqual([...Array(40).fill(403), 429, 429]);
  // They hold up nobody in a browser that the account knows.
  await ada.get('/developer/account/password');
  const change = { current_password: PASSWORD, password: 'a new long phrase' };
  const done = await ada.post('/developer/account/password', change, { 'cf-connecting-ip': '2001:db8:a::1' });
  expect(done.status).toBe(303);
});

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';

it("lists one's own sessions in words, and ends one or all others", async () => {
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  await asDeveloper(shop.slug, undefined, 'bob@example.com');
  const [firefox, phone, third] = [
    await signIn(shop, 'ada@example.com', PASSWORD, FIREFOX),
    await signIn(shop, 'ada@example.com', PASSWORD, IPHONE),
    await signIn(shop, 'ada@example.com', PASSWORD, '<script>'),
  ];
  const { html } = await ada.get('/developer/account');
  expect(html).toContain('Firefox on Windows');
  expect(html).toContain('Safari on iPhone');
  expect(html).toContain('Unknown browser');
  expect(html).not.toContain('Gecko');
  expect(html.match(/sessions\/\w+\/end/g)?.length).toBe(3);
  expect(html.match(/now, here/g)?.length).toBe(1);
  const [, end = ''] = /href="([^"]+)" aria-label="Sign out of Firefox on Windows"/.exec(html) ?? [];
  await ada.get(end);
  expect(ada.last.html).toContain('Sign out of Firefox on Windows?');
  expect((await firefox.get('/developer')).status).toBe(200);
  await ada.submit(end, {});
  expect((await firefox.get('/developer')).status).toBe(303);
  expect((await ada.get(end)).status).toBe(404);
  expect((await phone.get('/developer')).status).toBe(200);
  await ada.get('/developer/account/end-other-sessions');
  await ada.submit('/developer/account/end-other-sessions', {});
  expect(ada.last.html).toContain('You are signed out everywhere else.');
  for (const browser of [phone, third]) expect((await browser.get('/developer')).status).toBe(303);
});

it("does not end another person's session", async () => {
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  const bob = await asDeveloper(shop.slug, undefined, 'bob@example.com');
  const row = await env.DB.prepare(
    'SELECT hash FROM panel_sessions WHERE user_id = ? ORDER BY started_at DESC LIMIT 1',
  )
    .bind(await idOf(shop, 'bob@example.com'))
    .first<{ hash: string }>();
  await ada.get('/developer/account');
  const got = await ada.post(`/developer/account/sessions/${row?.hash.slice(0, 20)}/end`, {});
  expect(got.status).toBe(404);
  expect((await bob.get('/developer')).status).toBe(200);
});

it('ends a session with its sign-out, also for who has copied its cookie', async () => {
  const ada = await asDeveloper((await world()).slug);
  const copied = new Browser();
  for (const [name, value] of ada.cookies) copied.cookies.set(name, value);
  expect((await copied.get('/developer')).status).toBe(200);
  await ada.get('/developer');
  await ada.submit('/developer/sign-out', {});
  expect([...ada.cookies.keys()].filter((name) => name.endsWith('sfe-developer'))).toEqual([]);
  expect((await copied.get('/developer')).status).toBe(303);
});

it('ends a session after 12 hours, also one in use', async () => {
  const ada = await asDeveloper((await world()).slug);
  moveClock(12 * HOUR - MINUTE);
  expect((await ada.get('/developer/account')).html).toContain('A session ends after 12 hours.');
  moveClock(2 * MINUTE);
  expect((await ada.get('/developer/account')).status).toBe(303);
});

it('records the last use of a session once an hour', async () => {
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  const used = async () =>
    (
      await env.DB.prepare('SELECT max(used_at) AS at FROM panel_sessions WHERE user_id = ?')
        .bind(await idOf(shop, 'ada@example.com'))
        .first<{ at: number }>()
    )?.at ?? 0;
  const begun = await used();
  moveClock(HOUR / 2);
  await ada.get('/developer');
  expect(await used()).toBe(begun);
  moveClock(HOUR);
  await ada.get('/developer');
  await expect.poll(used).toBeGreaterThan(begun + HOUR);
});
