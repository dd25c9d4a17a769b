/** Forms of the panels that are sent again: each change has one entry in the audit log. */
import { afterEach, expect, it, vi } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { gif } from '../../media/images.ts';
import { fetchWith, interceptBindings } from '../../support/faults/bindings.ts';
import { failStatements, loseResponse } from '../../support/faults/database.ts';
import { connectionLost } from '../../support/faults/injector.ts';
import { asAdmin, asDeveloper, type Browser, fieldsOf, invitation } from '../../support/fixtures/browser.ts';
import { type World, world } from '../../support/world.ts';
import { idOf } from '../people/colleagues.ts';

afterEach(() => vi.restoreAllMocks());

/** A form, what is typed into it, and the statement whose answer is lost when it is first sent. */
interface SentForm {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly statement: RegExp;
}

const FORMS: Readonly<Record<string, (shop: World) => SentForm>> = {
  'an application is created': ({ slug }) => ({
    path: `/admin/tenants/${slug}/applications/new`,
    fields: { name: 'Shop window' },
    statement: /insert into "applications"/i,
  }),
  'a token is rotated': ({ slug, applicationId }) => ({
    path: `/admin/tenants/${slug}/applications/${applicationId}/rotate`,
    fields: {},
    statement: /update "applications"/i,
  }),
};

/** Sends a form whose first answer is lost, and sends what is shown then again. Returns the last answer. */
async function sendAgain(admin: Browser, { path, fields, statement }: SentForm) {
  const form = { ...fieldsOf((await admin.get(path)).html, path), ...fields };
  loseResponse(statement);
  const lost = await admin.post(path, form);
  expect(lost.status).toBe(503);
  return admin.post(path, fieldsOf(lost.html, path));
}

/**
 * Expects that the newest entry of the audit log about this kind names what was created. Entries that the directory
 * forwards, such as that of an invitation, may come behind it.
 */
async function expectNamed(shop: World, kind: string, name: string) {
  const entries: { subject: { kind: string } }[] = (await shop.get('/audit')).body.data;
  const newest = entries.find(({ subject }) => subject.kind === kind);
  expect(newest?.subject).toEqual({ kind, id: expect.stringMatching(/./), name });
}

it.each(Object.entries(FORMS))('records once that %s when its answer was lost', async (_, formOf) => {
  const [shop, admin] = [await world(), await asAdmin()];
  const entries = async () => (await shop.get('/audit')).body.data.length;
  const before = await entries();
  const done = await sendAgain(admin, formOf(shop));
  expect(done.html).toContain('value="sfe_live_');
  expect(await entries()).toBe(before + 1);
});

it('records the creation of a tenant once when its answer was lost', async () => {
  const admin = await asAdmin();
  const slug = `t-${crypto.randomUUID().slice(0, 12)}`;
  const path = '/admin/new-tenant';
  const fields = { slug, name: 'A new shop', currency: 'EUR' };
  const done = await sendAgain(admin, { path, fields, statement: /insert into "tenants"/i });
  expect([done.status, done.headers.get('location')]).toEqual([303, expect.stringContaining(slug)]);
  const log = await admin.get(`/admin/audit-log?tenant=${slug}`);
  expect(log.html.match(/Create tenant/g)).toHaveLength(1);
});

it('names what a form of the platform has created although the first answer was lost', async () => {
  const [shop, admin] = [await world(), await asAdmin()];
  await sendAgain(admin, {
    path: `/admin/tenants/${shop.slug}/applications/new`,
    fields: { name: 'Shop window' },
    statement: /insert into "applications"/i,
  });
  await expectNamed(shop, 'applications', 'Shop window');
});

it('names what a form has created although its run died before it did', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const path = '/developer/categories/new';
  const sendTwice = async (name: string, die: () => () => void) => {
    const form = { ...fieldsOf((await developer.get(path)).html, path), name };
    const heal = die();
    await developer.post(path, form);
    heal();
    moveClock(MINUTE);
    expect((await developer.post(path, form)).status).toBe(303);
    await expectNamed(shop, 'categories', name);
  };
  await sendTwice('Mugs', () => {
    loseResponse(/insert into categories/i);
    return () => undefined;
  });
  // The response is kept by then.
  await sendTwice('Cups', () => failStatements(/update "audit_log"/i));
  expect((await shop.get('/audit?action=createCategory')).body.data).toHaveLength(2);
});

it('names no other creation alike, whose run died, when a form is sent again', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const path = '/developer/categories/new';
  const filled = async () => ({ ...fieldsOf((await developer.get(path)).html, path), name: 'Mugs' });
  const heal = failStatements(/update "audit_log"/i);
  await developer.post(path, await filled());
  heal();
  const form = await filled();
  for (const _ of [1, 2]) expect((await developer.post(path, form)).status).toBe(303);
  const entries: { subject: { id: string | null } }[] = (await shop.get('/audit?action=createCategory')).body
    .data;
  expect(entries.map(({ subject }) => subject.id !== null)).toEqual([true, false]);
});

it('records once that a test event was sent although its first run died behind it', async () => {
  const shop = await world();
  const { id } = (await shop.post('/webhooks', { url: 'https://hook.example.com/a', events: ['order.paid'] }))
    .body;
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/webhooks/${id}`;
  const form = fieldsOf((await developer.get(here)).html, `${here}/ping`);
  const dying = interceptBindings(['WEBHOOK_ENDPOINT'], (name, call) => {
    if (!name.endsWith('.accept')) return call();
    return Promise.resolve(call()).then(() => Promise.reject(connectionLost()));
  });
  const first = developer.through(async ({ method, url, headers, body }) =>
    fetchWith(dying, method, new URL(url).pathname, null, { headers, body }),
  );
  expect((await first.post(`${here}/ping`, form)).status).toBeGreaterThanOrEqual(500);
  moveClock(MINUTE);
  for (const _ of [1, 2]) expect((await developer.post(`${here}/ping`, form)).status).toBe(303);
  expect((await shop.get('/audit?action=pingWebhook')).body.data).toHaveLength(1);
  expect((await shop.get(`/webhooks/${id}/deliveries`)).body.data).toHaveLength(1);
});

it('records once that a tenant is suspended, or a token disabled, when the button is pressed twice', async () => {
  const [shop, admin] = [await world(), await asAdmin()];
  const here = `/admin/tenants/${shop.slug}`;
  for (const action of [`applications/${shop.applicationId}/disable`, 'suspend', 'activate']) {
    await admin.get(here);
    for (const _ of [1, 2]) expect((await admin.post(`${here}/${action}`, {})).status, action).toBe(303);
  }
  const log = await admin.get(`/admin/audit-log?tenant=${shop.slug}`);
  expect(log.html.match(/Update tenant application/g)).toHaveLength(1);
  expect(log.html.match(/Update tenant</g)).toHaveLength(2);
});

it('records once that a role, or the options of a product, were changed when the button is pressed twice', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const tee = {
    name: 'Tee',
    type: 'configurable',
    price: 12,
    variants: [{ sku: shop.slug, price: 12, attributes: { size: 'M' } }],
  };
  const options = `/developer/products/${(await shop.post('/products', tee)).body.id}/options`;
  const renamed = { ...fieldsOf((await developer.get(options)).html, options), 'options.0.name': 'fit' };
  await invitation(await asAdmin(), shop.slug, 'eve@example.com');
  const role = `/developer/people/${await idOf(shop, 'eve@example.com')}/role`;
  await developer.get('/developer/people');
  for (const [path, fields, action] of [
    [options, renamed, 'updateProduct'],
    [role, { role: 'staff' }, 'changePersonRole'],
  ] as const) {
    for (const _ of [1, 2]) expect((await developer.post(path, fields)).status, path).toBe(303);
    expect((await shop.get(`/audit?action=${action}`)).body.data, action).toHaveLength(1);
  }
});

it('records once that a shipping method was moved up when the button is pressed twice', async () => {
  const shop = await world();
  const methods = ['post', 'courier'].map((id) => ({ id, name: id, price: 4 }));
  await shop.patch('/settings', { shipping: { methods } });
  const developer = await asDeveloper(shop.slug);
  const path = '/developer/settings/shipping/methods/courier/up';
  const form = fieldsOf((await developer.get('/developer/settings/shipping')).html, path);
  const changes = async () => (await shop.get('/audit?action=updateSettings')).body.data.length;
  const before = await changes();
  for (const _ of [1, 2]) expect((await developer.post(path, form)).status).toBe(303);
  expect(await changes()).toBe(before + 1);
  expect((await shop.get('/settings')).body.shipping.methods[0].id).toBe('courier');
});

it.each([
  ['an import', '/developer/imports', 'file', /insert into "imports"/i],
  ['a picture', '/developer/media', 'picture', /INSERT INTO "?media"? \(/],
] as const)(
  'records once that %s was uploaded although its first run died in it',
  async (_, path, field, first) => {
    const shop = await world();
    const developer = await asDeveloper(shop.slug);
    const shown = fieldsOf((await developer.get(path)).html, path);
    const send = () => {
      const form = new FormData();
      form.append('_token', developer.token() ?? '');
      for (const [name, value] of Object.entries(shown)) form.set(name, String(value));
      const bytes = field === 'file' ? 'Handle,Title,Variant Price\nmug,Mug,12\n' : gif(3, 2);
      form.append(field, new File([bytes], 'a', { type: field === 'file' ? 'text/csv' : 'image/gif' }));
      return developer.send('POST', path, form, { origin: 'https://api.example.com' });
    };
    const entries = async () => (await shop.get('/audit')).body.data.length;
    const before = await entries();
    loseResponse(first);
    // A run that died deletes no entry.
    const heal = failStatements(/delete from "audit_log"/i);
    expect((await send()).status).toBeGreaterThanOrEqual(500);
    heal();
    moveClock(MINUTE);
    expect((await send()).status).toBe(303);
    expect(await entries()).toBe(before + 1);
  },
);
