/** What deletes, sent twice, as by a double click: the second press lands where the first one landed. */
import { expect, it } from 'vitest';
import { adminPages } from '../../src/panel/admin/pages.tsx';
import { developerPages } from '../../src/panel/developer/pages.tsx';
import { asAdmin, asDeveloper, fieldsOf } from '../support/fixtures/browser.ts';
import { world } from '../support/world.ts';
import { pathOf, subjectOf } from '../web/page-subjects.ts';

const DELETES = /\/(delete|remove|erase|end)$/;
const deleting = [...adminPages, ...developerPages].filter(
  ({ method, path }) => method === 'post' && DELETES.test(path),
);

it.each(deleting.map((page) => [page.path, page] as const))('deletes by %s twice', async (_, page) => {
  const shop = await world();
  const admin = await asAdmin();
  const developer = await asDeveloper(shop.slug, admin);
  const browser = page.audience === 'admin' ? admin : developer;
  const subject = await subjectOf(page, shop);
  const path = pathOf(page, subject);
  const form = fieldsOf((await browser.get(path)).html, path);
  const sent = { ...form, ...('email' in subject && { email: String(subject.email) }) };
  const first = await browser.post(path, sent);
  expect([first.status, first.html]).toEqual([303, '']);
  const second = await browser.post(path, sent);
  expect([second.status, second.headers.get('location')]).toEqual([303, first.headers.get('location')]);
  expect((await browser.get(second.headers.get('location') ?? '')).status).toBe(200);
});
