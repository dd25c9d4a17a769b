import { env, exports } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { asAdmin, asDeveloper, Browser } from '../../support/fixtures/browser.ts';
import { world } from '../../support/world.ts';
import { idOf, signIn } from './colleagues.ts';

const PASSWORD = 'correct horse battery';

const linkIn = (html: string): string =>
  /value="https:\/\/[^/"]+(\/developer\/invitations\/[^"]+)"/.exec(html)?.[1] ?? 'no link';

/** Invites somebody through the owner's People page; returns a browser in which they are signed in. */
async function join(owner: Browser, email: string, role: string): Promise<Browser> {
  await owner.get('/developer/people');
  const fields = { person_name: email.split('@')[0] ?? '', person_email: email, person_role: role };
  const link = linkIn((await owner.post('/developer/people', fields)).html);
  const browser = new Browser();
  await browser.get(link);
  await browser.submit(link, { password: PASSWORD });
  return browser;
}

it('invites somebody with a role, changes the role, and removes them', async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  const grace = await join(owner, 'grace@example.com', 'read_only');
  expect((await grace.get('/developer/people')).status).toBe(403);
  expect((await grace.get('/developer')).html).not.toContain('href="/developer/people"');
  const id = await idOf(shop, 'grace@example.com');
  await owner.get('/developer/people');
  const changed = await owner.submit(`/developer/people/${id}/role`, { role: 'owner' });
  expect(changed.html).toContain('Saved.');
  expect((await grace.get('/developer/people')).html).toContain('grace (you)');
  const asked = await owner.get(`/developer/people/${id}/remove`);
  expect(asked.html).toContain('Remove grace?');
  await owner.submit(`/developer/people/${id}/remove`, {});
  expect(owner.last.html).not.toContain('grace@example.com');
  expect((await grace.get('/developer')).status).toBe(303);
  expect((await signIn(shop, 'grace@example.com', PASSWORD)).last.status).toBe(401);
});

it('does not invite over somebody who has joined, and renews an open invitation', async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  const fields = { person_name: 'Ada', person_email: 'ada@example.com', person_role: 'read_only' };
  await owner.get('/developer/people');
  const again = await owner.post('/developer/people', fields);
  expect([again.status, again.html.includes('has joined already')]).toEqual([409, true]);
  // Beside an owner there is no such button.
  expect(again.html).toContain('an owner&#39;s is reset by the platform&#39;s operator');
  expect(linkIn(again.html)).toBe('no link');
  await owner.get('/developer/people');
  const invitee = { ...fields, person_email: 'new@example.com' };
  const first = linkIn((await owner.post('/developer/people', invitee)).html);
  await owner.get('/developer/people');
  await owner.post('/developer/people', { ...invitee, person_name: 'Grace', person_role: 'staff' });
  const { html } = await owner.get('/developer/people');
  expect(html).toMatch(/"Role of Grace">(?:(?!<\/select>).)*<option value="staff" selected/s);
  const second = linkIn(
    (await owner.submit(`/developer/people/${await idOf(shop, 'new@example.com')}/link`, {})).html,
  );
  expect((await new Browser().get(first)).status).toBe(404);
  expect((await new Browser().get(second)).status).toBe(200);
});

it('names the fields of an invitation that is wrong', async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  await owner.get('/developer/people');
  const fields = { person_name: 'Eve', person_email: 'no address', person_role: 'king' };
  const got = await owner.post('/developer/people', fields);
  expect(got.status).toBe(422);
  expect(got.html).toContain('href="#f-person_email"');
  expect(got.html).toContain('value="no address"');
});

it('keeps the last owner: neither removed nor demoted, also when two do it at once', async () => {
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  const me = await idOf(shop, 'ada@example.com');
  await ada.get('/developer/people');
  // Somebody who was only invited can't run the shop yet.
  await ada.post('/developer/people', {
    person_name: 'Late',
    person_email: 'late@example.com',
    person_role: 'owner',
  });
  await ada.get('/developer/people');
  const demoted = await ada.post(`/developer/people/${me}/role`, { role: 'staff' });
  expect([demoted.status, demoted.html.includes('A shop needs an owner')]).toEqual([409, true]);
  await ada.get(`/developer/people/${me}/remove`);
  expect((await ada.post(`/developer/people/${me}/remove`, {})).status).toBe(409);
  const bob = await join(ada, 'bob@example.com', 'owner');
  const other = await idOf(shop, 'bob@example.com');
  await Promise.all([ada.get('/developer/people'), bob.get('/developer/people')]);
  const both = await Promise.all([
    ada.post(`/developer/people/${other}/role`, { role: 'staff' }),
    bob.post(`/developer/people/${me}/role`, { role: 'staff' }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, expect.toBeOneOf([403, 409])]);
  const owners = await env.DB.prepare(
    "SELECT count(*) AS n FROM panel_users WHERE tenant_id = ? AND role = 'owner' AND accepted_at IS NOT NULL",
  )
    .bind(shop.tenantId)
    .first<{ n: number }>();
  expect(owners?.n).toBe(1);
});

it('bounds the people of a shop', async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  await env.DB.prepare(
    `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 199)
     INSERT INTO panel_users (tenant_id, email, name, role, invited_at)
     SELECT ?, 'p' || value || '@example.com', 'P', 'staff', 0 FROM n`,
  )
    .bind(shop.tenantId)
    .run();
  await owner.get('/developer/people');
  const fields = { person_name: 'One more', person_email: 'more@example.com', person_role: 'staff' };
  const got = await owner.post('/developer/people', fields);
  expect([got.status, got.html.includes('at most 200 people')]).toEqual([409, true]);
  expect(await idOf(shop, 'more@example.com')).toBe(0);
});

it("resets staff's password by a link of an owner: once, within 24 hours, ending all sessions", async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  const sam = await join(owner, 'sam@example.com', 'staff');
  const action = `/developer/people/${await idOf(shop, 'sam@example.com')}/link`;
  const reset = async () => {
    await owner.get('/developer/people');
    return linkIn((await owner.submit(action, {})).html);
  };
  const late = await reset();
  moveClock(24 * HOUR + 1_000);
  expect((await new Browser().get(late)).status).toBe(404);
  const [fresh, again] = [await asDeveloper(shop.slug, undefined, 'boss@example.com'), new Browser()];
  await fresh.get('/developer/people');
  const link = linkIn((await fresh.submit(action, {})).html);
  expect((await again.get(link)).html).toContain('Choose a new password');
  const stillIn = await signIn(shop, 'sam@example.com', PASSWORD);
  expect((await stillIn.get('/developer')).status).toBe(200);
  const done = await again.submit(link, { password: 'another long phrase' });
  expect(done.html).toContain('Your password is changed.');
  expect((await stillIn.get('/developer')).status).toBe(303);
  expect((await sam.get('/developer')).status).toBe(303);
  expect((await new Browser().get(link)).status).toBe(404);
  expect((await signIn(shop, 'sam@example.com', PASSWORD)).last.status).toBe(401);
});

it('records in the audit log who set a new password by a link', async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  await join(owner, 'sam@example.com', 'staff');
  await owner.get('/developer/people');
  const action = `/developer/people/${await idOf(shop, 'sam@example.com')}/link`;
  const link = linkIn((await owner.submit(action, {})).html);
  const first = new Browser();
  await first.get(link);
  const second = first.through((request) => exports.default.fetch(request));
  second.last = first.last;
  // A double click: the link is good for one of them.
  const sent = await Promise.all(
    [first, second].map((one) => one.post(link, { password: 'a new long phrase' })),
  );
  expect(sent.map(({ status }) => status).sort()).toEqual([303, 404]);
  const entries = (await shop.get('/audit?limit=100')).body.data;
  expect(entries.filter((entry: { action: string }) => entry.action === 'resetPassword')).toMatchObject([
    { actor: { kind: 'panel', name: 'sam' }, subject: { kind: 'people', name: 'sam' }, changes: [] },
  ]);
  expect((await owner.get('/developer/audit-log')).html).toContain('Reset password');
});

it("lets only the platform's operator reset an owner's password", async () => {
  const shop = await world();
  const admin = await asAdmin();
  const ada = await asDeveloper(shop.slug, admin);
  await join(ada, 'bob@example.com', 'owner');
  const bob = await idOf(shop, 'bob@example.com');
  expect((await ada.get('/developer/people')).html).not.toContain('Reset password');
  expect((await ada.post(`/developer/people/${bob}/link`, {})).status).toBe(404);
  await admin.get(`/admin/tenants/${shop.slug}`);
  const link = linkIn((await admin.submit(`/admin/tenants/${shop.slug}/developers/${bob}/link`, {})).html);
  expect((await new Browser().get(link)).html).toContain('bob@example.com');
});

it("ends an owner's link to a new password where its holder becomes an owner, but not an invitation", async () => {
  const shop = await world();
  const ada = await asDeveloper(shop.slug);
  await join(ada, 'sam@example.com', 'staff');
  const sam = `/developer/people/${await idOf(shop, 'sam@example.com')}`;
  await ada.get('/developer/people');
  const reset = linkIn((await ada.submit(`${sam}/link`, {})).html);
  expect((await new Browser().get(reset)).status).toBe(200);
  await ada.get('/developer/people');
  await ada.submit(`${sam}/role`, { role: 'owner' });
  expect((await new Browser().get(reset)).status).toBe(404);
  const new_person = { person_name: 'Eve', person_email: 'eve@example.com', person_role: 'staff' };
  const invitation = linkIn((await ada.post('/developer/people', new_person)).html);
  await ada.get('/developer/people');
  await ada.submit(`/developer/people/${await idOf(shop, 'eve@example.com')}/role`, { role: 'owner' });
  expect((await new Browser().get(invitation)).status).toBe(200);
});

it('explains a forgotten password to anyone, without a form to probe accounts with', async () => {
  const page = await new Browser().get('/developer/forgotten-password');
  expect(page.html).toContain('ask an owner of your shop');
  expect(page.html).not.toContain('<form');
});
