/** Whether a form may act is decided before its body is read, and again after one that was slow to arrive. */

import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { serve } from '../../src/app.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { type HeldRequest, holdBody } from '../support/faults/slow-request.ts';
import { asAdmin, asDeveloper, Browser, fieldsOf } from '../support/fixtures/browser.ts';
import { SECOND_MASTER_KEY } from '../support/runtime/runtime.ts';
import { admin, world } from '../support/world.ts';

const SLOW = 3_000;
const URLENCODED = 'application/x-www-form-urlencoded';

/** Sends a form of a page, and holds it back half-way. */
async function holdForm(
  browser: Browser,
  page: string,
  path: string,
  fields: Record<string, string>,
): Promise<HeldRequest> {
  await browser.get(page);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const body = new URLSearchParams({ _token: browser.token() ?? '', ...fields }).toString();
  const held = holdBody('POST', path, body, {
    cookie,
    'content-length': String(body.length),
    'content-type': URLENCODED,
    origin: 'https://api.example.com',
  });
  await held.reached;
  return held;
}

const THEME = { font_family: 'Georgia' };
const theme = (browser: Browser) => holdForm(browser, '/developer/theme', '/developer/theme', THEME);

it('does not read an unauthorized upload', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x', origin: 'https://api.example.com' };
  for (const path of ['/developer/imports', '/developer/theme']) {
    const held = holdBody('POST', path, 'x'.repeat(1000), headers);
    await held.reached;
    expect(held.asked()).toBe(0);
    expect((await held.response()).status).toBe(401);
  }
});

it('does not read a form of another site', async () => {
  const shop = await world();
  const browser = await asDeveloper(shop.slug);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const from of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }]) {
    const held = holdBody('POST', '/developer/theme', 'font_family=x', {
      cookie,
      'content-type': URLENCODED,
      ...from,
    });
    await held.reached;
    expect(held.asked()).toBe(0);
    expect((await held.response()).status).toBe(403);
  }
});

it('takes one large file at a time into memory', async () => {
  const shop = await world();
  const [one, other] = [
    await asDeveloper(shop.slug),
    await asDeveloper(shop.slug, undefined, 'bob@example.com'),
  ];
  const file = (browser: Browser) =>
    holdForm(browser, '/developer/imports', '/developer/imports', { file: 'x'.repeat(24 * 1024 * 1024) });
  const first = await file(one);
  const refused = await (await file(other)).response();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  // A form without files is read meanwhile. These lack the fields that they need.
  expect((await (await theme(other)).finish()).status).toBe(422);
  expect((await first.finish()).status).toBe(422);
  expect((await (await file(other)).finish()).status).toBe(422);
});

it('rejects a form whose session ended while it arrived', async () => {
  const shop = await world();
  const browser = await asDeveloper(shop.slug);
  const held = await theme(browser);
  const elsewhere = new Browser();
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  await elsewhere.get('/developer/theme');
  await elsewhere.submit('/developer/sign-out', {});
  moveClock(SLOW);
  expect((await held.finish()).status).toBe(401);
  expect((await shop.get('/theme/options')).body.font_family).not.toBe('Georgia');
});

it('rejects a form of a tenant that was suspended while it arrived', async () => {
  const shop = await world();
  const held = await theme(await asDeveloper(shop.slug));
  await admin('PATCH', `/tenants/${shop.slug}`, { status: 'suspended' });
  moveClock(SLOW);
  const response = await held.finish();
  expect([response.status, (await response.text()).includes('suspended')]).toEqual([403, true]);
});

it('rejects a form whose sender may only read by the time it has arrived', async () => {
  const shop = await world();
  const held = await theme(await asDeveloper(shop.slug));
  await env.DB.prepare("UPDATE panel_users SET role = 'read_only' WHERE tenant_id = ?")
    .bind(shop.tenantId)
    .run();
  moveClock(SLOW);
  expect((await held.finish()).status).toBe(403);
  expect((await shop.get('/theme/options')).body.font_family).not.toBe('Georgia');
});

it("rejects a super-admin's form whose session ended while it arrived", async () => {
  const shop = await world();
  const browser = await asAdmin();
  const held = await holdForm(
    browser,
    `/admin/tenants/${shop.slug}`,
    `/admin/tenants/${shop.slug}/developers`,
    {
      developer_name: 'Eve',
      developer_email: 'eve@example.com',
    },
  );
  const elsewhere = new Browser();
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  await elsewhere.get('/admin');
  await elsewhere.submit('/admin/sign-out', {});
  moveClock(SLOW);
  expect((await held.finish()).status).toBe(401);
});

it('aborts a form after 30 seconds', async () => {
  const shop = await world();
  const held = await theme(await asDeveloper(shop.slug));
  moveClock(31_000);
  const response = await held.finish();
  expect([response.status, (await response.text()).includes('took too long')]).toEqual([408, true]);
});

it('accepts a slow form of a valid session', async () => {
  const shop = await world();
  const held = await theme(await asDeveloper(shop.slug));
  moveClock(SLOW);
  // The form lacks the colours, which is what is wrong with it.
  expect((await held.finish()).status).toBe(422);
});

it('rejects a compressed form', async () => {
  const shop = await world();
  const browser = await asDeveloper(shop.slug);
  await browser.get('/developer/theme');
  const got = await browser.post('/developer/theme', {}, { 'content-encoding': 'gzip' });
  expect([got.status, got.headers.get('accept-encoding')]).toEqual([415, 'identity']);
});

it('accepts a form of a page shown before a new master key was added', async () => {
  const shop = await world();
  const browser = await asDeveloper(shop.slug);
  await browser.get('/developer/theme');
  const rotated: Env = { ...env, ...SECOND_MASTER_KEY };
  const after = browser.through(async (request) => serve(request, rotated, createExecutionContext()));
  after.last = browser.last;
  const fields = fieldsOf(browser.last.html, '/developer/theme');
  expect((await after.post('/developer/theme', { ...fields, font_family: 'Georgia' })).status).toBe(303);
});
