import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';
import { SLUG } from './super-admin.ts';

const PASSWORD = 'correct horse battery';

/** The owner invites somebody; returns the link for them. */
async function inviteTo(owner: Page, name: string, role: string): Promise<string> {
  await owner.goto('/developer/people');
  await fill(owner, { Name: name, 'E-mail': `${name.toLowerCase()}@example.com` });
  await owner.getByLabel('Role', { exact: true }).selectOption({ value: role });
  await pressButton(owner, 'Create invitation');
  return owner.getByLabel('Invitation link').inputValue();
}

/** Opens a one-time link in a browser of its own. */
async function openOneTimeLink({ open }: JourneyContext, link: string): Promise<Page> {
  const page = await open();
  await page.goto(link);
  await fill(page, { 'Choose a password': PASSWORD });
  await pressButton(page, 'Set password and sign in');
  return page;
}

/** A session ends while somebody types; they sign in again and find what they typed. */
async function signInAgain(page: Page, { inspect }: JourneyContext, email: string): Promise<void> {
  await page.goto('/developer/theme');
  await page.getByLabel('Font family').fill('Georgia');
  await page.context().clearCookies();
  await pressButton(page, 'Save');
  await waitForText(page, 'Your session has ended');
  await inspect(page, 'people-session-ended');
  await fill(page, { Shop: SLUG, 'E-mail': email, Password: PASSWORD });
  await pressButton(page, 'Sign in');
  await waitForText(page, 'You are signed in again.');
  assert.equal(await page.getByLabel('Font family').inputValue(), 'Georgia');
  await pressButton(page, 'Save');
  await waitForText(page, 'Saved.');
}

/** A member of staff: their account, what they may not open, and a session that ends. */
async function staff(context: JourneyContext, link: string): Promise<void> {
  const { inspect } = context;
  const page = await openOneTimeLink(context, link);
  await page.goto('/developer/people');
  await waitForText(page, 'Only an owner');
  await inspect(page, 'people-refused');
  await page.goto('/developer/account');
  await inspect(page, 'people-account');
  await followLink(page.getByRole('link', { name: 'Change the password' }));
  await inspect(page, 'people-password');
  await signInAgain(page, context, 'sam@example.com');
}

/** Somebody who may only read: forms are shown and can't be sent. */
async function reader(context: JourneyContext, link: string): Promise<void> {
  const page = await openOneTimeLink(context, link);
  await page.goto('/developer/theme');
  await waitForText(page, 'Your role does not allow changing this.');
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  await context.inspect(page, 'people-read-only');
}

/**
 * Two people change the variants of one product, which cost 38 and are 5 in stock each: the second one is shown what
 * the first one changed, and nothing is overwritten.
 */
export async function sameVariants(owner: Page, context: JourneyContext, id: number): Promise<void> {
  const second = await openOneTimeLink(context, await inviteTo(owner, 'Hans', 'staff'));
  const [contested, other] = ['Celadon / Small', 'Tenmoku / Large'];
  for (const page of [owner, second]) await page.goto(`/developer/products/${id}/variants`);
  await fill(owner, { [`Price of ${contested}`]: '41', [`Stock of ${other}`]: '7' });
  await pressButton(owner, 'Save variants');
  await waitForText(owner, 'Saved.');
  await fill(second, { [`Price of ${contested}`]: '44', [`Stock of ${contested}`]: '3' });
  await pressButton(second, 'Save variants');
  await waitForText(second, 'Nothing is saved yet');
  const table = second.getByRole('region', { name: 'Fields that both of you changed' });
  assert.deepEqual(await table.getByRole('cell').allTextContents(), [`Price of ${contested}`, '44', '41']);
  await context.inspect(second, 'products-variants-conflict');
  const read = async (page: Page) => {
    const fields = [`Price of ${contested}`, `Stock of ${contested}`, `Stock of ${other}`];
    return Promise.all(fields.map((label) => page.getByLabel(label, { exact: true }).inputValue()));
  };
  await owner.reload();
  assert.deepEqual(await read(owner), ['41.00', '5', '7']);
  await pressButton(second, 'Take theirs');
  await waitForText(second, 'Saved.');
  assert.deepEqual(await read(second), ['41.00', '3', '7']);
}

/**
 * Three people of a shop: its owner, who is signed in on `owner`, invites staff and a reader, sees what they
 * changed, and removes one of them.
 */
export async function threePeople(owner: Page, context: JourneyContext): Promise<void> {
  const { inspect, open } = context;
  const links = [await inviteTo(owner, 'Sam', 'staff'), await inviteTo(owner, 'Rita', 'read_only')] as const;
  await inspect(owner, 'people-invitation');
  await staff(context, links[0]);
  await reader(context, links[1]);
  await owner.goto('/developer/people');
  await inspect(owner, 'people');
  await followLink(owner.getByRole('link', { name: 'Remove Rita' }));
  await inspect(owner, 'people-remove');
  await pressButton(owner, 'Remove');
  await waitForText(owner, 'Removed.');
  await owner.goto('/developer/audit-log');
  await waitForText(owner, 'Remove person');
  await inspect(owner, 'people-audit-log');
  const visitor = await open();
  await visitor.goto('/developer/sign-in');
  await followLink(visitor.getByRole('link', { name: 'Forgotten your password?' }));
  await inspect(visitor, 'people-forgotten-password');
  await visitor.goto('/admin/audit-log');
  await fill(visitor, { 'Super-admin token': context.service.admin });
  await pressButton(visitor, 'Sign in');
  await waitForText(visitor, 'Audit log');
  await inspect(visitor, 'admin-audit-log');
}
