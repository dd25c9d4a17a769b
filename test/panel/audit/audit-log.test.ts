import { afterEach, expect, it, vi } from 'vitest';
import { failStatements } from '../../support/faults/database.ts';
import { asAdmin, asDeveloper, type Browser, fieldsOf, fill } from '../../support/fixtures/browser.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

interface Row {
  readonly actor_kind: string;
  readonly actor_name: string;
  readonly action: string;
  readonly subject_kind: string;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly changes: string;
  readonly request_id: string;
}

/** The entries of a tenant, oldest first. Those of changes to its people are forwarded to its shard when it is read. */
async function entriesOf(shop: World): Promise<Row[]> {
  await shop.get('/audit?limit=1');
  const rows = await storeOf(shop)
    .prepare('SELECT * FROM audit_log WHERE tenant_id = ? ORDER BY at, id')
    .bind(shop.tenantId)
    .all<Row>();
  return rows.results;
}

const HERE = '/developer/audit-log';
const saveTheme = (owner: Browser, fields: Record<string, string>) =>
  fill(owner, '/developer/theme', '/developer/theme', fields);

it('records who changed which field, from what to what', async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  await saveTheme(owner, { 'colors.primary': '#aa0033' });
  await saveTheme(owner, { 'colors.primary': '#0033aa' });
  const entries = (await entriesOf(shop)).filter(({ subject_kind }) => subject_kind === 'theme');
  expect(entries).toHaveLength(2);
  expect(entries[1]).toMatchObject({ actor_kind: 'panel', actor_name: 'Ada', action: 'updateThemeOptions' });
  expect(JSON.parse(entries[1]?.changes ?? '')).toEqual([
    { field: 'colors.primary', old: '#AA0033', new: expect.stringMatching(/^#0033aa$/i) },
  ]);
  expect(entries[1]?.request_id).toMatch(/^[0-9a-f-]{36}$/);
  const { html } = await owner.get(HERE);
  for (const text of ['Update theme options', '<del>#AA0033</del>', 'Ada']) expect(html).toContain(text);
});

it('names whom an owner invited, without address and link', async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  await owner.get('/developer/people');
  await owner.submit('/developer/people', {
    person_name: 'Grace',
    person_email: 'grace@example.com',
    person_role: 'staff',
  });
  const made = (await entriesOf(shop)).at(-1);
  expect(made).toMatchObject({ action: 'invitePerson', subject_kind: 'people', subject_name: 'Grace' });
  expect(made?.subject_id).toMatch(/^\d+$/);
  const text = JSON.stringify(await entriesOf(shop));
  for (const secret of ['grace@example.com', 'invitations']) expect(text).not.toContain(secret);
});

it('names what was deleted, a webhook by its host', async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  const hook = {
    url: 'https://hooks.example.com/secret-path',
    events: ['product.updated'],
    status: 'paused',
  };
  const { id } = (await shop.post('/webhooks', hook)).body;
  await owner.get(`/developer/webhooks/${id}/delete`);
  expect((await owner.post(`/developer/webhooks/${id}/delete`, {})).status).toBe(303);
  const entry = (await entriesOf(shop)).at(-1);
  expect(entry).toMatchObject({ action: 'deleteWebhook', subject_kind: 'webhooks', subject_id: String(id) });
  expect(entry?.subject_name).toBe('hooks.example.com');
});

it('writes the entry and the change in one batch: both or neither', async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  const theme = async () => {
    const { html } = await owner.get('/developer/theme');
    return fieldsOf(html, '/developer/theme').font_family;
  };
  const before = await theme();
  await owner.get('/developer/theme');
  const fields = { ...fieldsOf(owner.last.html, '/developer/theme'), font_family: 'Georgia' };
  const restore = failStatements(/insert into "audit_log"/i);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect((await owner.post('/developer/theme', fields)).status).toBeGreaterThanOrEqual(500);
  restore();
  expect(await theme()).toBe(before);
  expect((await entriesOf(shop)).filter(({ subject_kind }) => subject_kind === 'theme')).toEqual([]);
  await owner.get('/developer/theme');
  expect((await owner.post('/developer/theme', { ...fields, _token: owner.token() ?? '' })).status).toBe(303);
  expect(await theme()).toBe('Georgia');
  expect((await entriesOf(shop)).filter(({ subject_kind }) => subject_kind === 'theme')).toHaveLength(1);
});

it('leaves no entry for a change that was refused, nor a second one for a second press', async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  const refused = await saveTheme(owner, { 'colors.primary': 'no colour' });
  expect(refused.status).toBe(422);
  const own = async () => (await entriesOf(shop)).filter(({ actor_kind }) => actor_kind === 'panel');
  expect(await own()).toEqual([]);
  await owner.get('/developer/people');
  const me = /people\/(\d+)\/role/.exec(owner.last.html)?.[1];
  expect((await owner.post(`/developer/people/${me}/role`, { role: 'staff' })).status).toBe(409);
  expect(await own()).toEqual([]);
  const admin = await asAdmin();
  const path = `/admin/tenants/${shop.slug}/applications`;
  await admin.get(`${path}/new`);
  const fields = fieldsOf(admin.last.html, `${path}/new`);
  for (let press = 0; press < 2; press++) await admin.post(`${path}/new`, { ...fields, name: 'Twice' });
  const made = (await entriesOf(shop)).filter(({ subject_name }) => subject_name === 'Twice');
  expect(made).toHaveLength(1);
  expect(made[0]).toMatchObject({
    actor_kind: 'platform',
    actor_name: 'Super-admin',
    subject_kind: 'applications',
  });
});

it('never records tokens, link secrets or secrets of an application', async () => {
  const shop = await world();
  const admin = await asAdmin();
  const path = `/admin/tenants/${shop.slug}/applications/new`;
  const { html } = await fill(admin, path, path, { name: 'Shop' });
  const token = /value="(sfe_live_[^"]+)"/.exec(html)?.[1] ?? 'none';
  expect(token).not.toBe('none');
  expect(JSON.stringify(await entriesOf(shop))).not.toContain(token.slice(-20));
});

/** Writes entries of a tenant as they would be after months. */
const manyEntries = ({ tenantId }: World, count: number) =>
  storeOf({ tenantId })
    .prepare(
      `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?)
     INSERT INTO audit_log (tenant_id, at, actor_kind, actor_name, action, subject_kind, changes, request_id)
     SELECT ?, 1795000000000, 'platform', 'Super-admin', 'updateThemeOptions', 'theme', '[]', 'r' || value FROM n`,
    )
    .bind(count, tenantId)
    .run();

it('is shown to owners alone, of their own tenant, with filters and pages', async () => {
  const [shop, other] = await Promise.all([world(), world()]);
  const admin = await asAdmin();
  const owner = await asDeveloper(shop.slug, admin);
  const stranger = await asDeveloper(other.slug, admin);
  await manyEntries(shop, 20);
  await saveTheme(owner, { font_family: 'Verdana' });
  const first = await owner.get(HERE);
  expect(first.html).toContain('Verdana');
  expect(first.html).toContain('From (UTC) <input type="date"');
  expect((await stranger.get(HERE)).html).not.toContain('Verdana');
  const older = /href="([^"]+before=[^"&]+)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? 'none';
  const second = await owner.get(older);
  expect(second.html).not.toContain('Verdana');
  expect(second.html).toContain('>Newest</a>');
  const own = await owner.get(`${HERE}?actor=platform`);
  expect(own.html).not.toContain('Verdana');
  expect((await owner.get(`${HERE}?kind=theme&from=2020-01-01`)).html).toContain('Verdana');
  expect((await owner.get(`${HERE}?to=2020-01-01`)).html).toContain('No changes of the last 365 days');
  const [id] = /panel:\d+/.exec(first.html) ?? [];
  expect((await owner.get(`${HERE}?actor=${id}`)).html).toContain('Verdana');
  expect((await owner.get(`${HERE}?actor=panel:0`)).html).not.toContain('Verdana');
  for (const odd of ['?before=x', '?from=never', '?actor=%27', '?kind=%00']) {
    expect((await owner.get(HERE + odd)).status).toBe(200);
  }
  // A day that no calendar has is ignored as any other text is.
  expect((await owner.get(`${HERE}?to=2020-02-30`)).html).toContain('Verdana');
  const platform = await admin.get(`/admin/audit-log?tenant=${shop.slug}`);
  expect(platform.html).toContain('Verdana');
  expect((await admin.get(`/admin/audit-log?tenant=${other.slug}`)).html).not.toContain('Verdana');
});

it('leads back from filters that match nothing, and names none where none is given', async () => {
  const developer = await asDeveloper((await world()).slug);
  const { html } = await developer.get('/developer/audit-log?kind=feeds');
  expect(html).toContain('match these filters. <a href="/developer/audit-log">Show all changes</a>');
});
