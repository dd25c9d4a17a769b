import { fill, followLink, type JourneyContext, pressButton, waitForText } from '../journey-context.ts';

/** The slug of the tenant that the journey makes. */
export const SLUG = 'harbour-books';

/** The super-admin makes a tenant, and invites a developer to it and one to the demo shop; returns both links. */
export async function superAdmin({
  open,
  inspect,
  service,
}: JourneyContext): Promise<{ own: string; demo: string }> {
  const page = await open();
  await page.goto('/');
  await inspect(page, 'start');
  await page.goto('/made-up');
  await inspect(page, 'start-not-found');
  await page.goto('/admin');
  await inspect(page, 'admin-sign-in');
  await fill(page, { 'Super-admin token': 'a guess' });
  await pressButton(page, 'Sign in');
  await waitForText(page, 'The token is incorrect.');
  await inspect(page, 'admin-wrong-token');
  await fill(page, { 'Super-admin token': service.admin });
  await pressButton(page, 'Sign in');
  await inspect(page, 'admin-tenants');

  await followLink(page.getByRole('link', { name: 'New tenant' }));
  await inspect(page, 'admin-new-tenant');
  await fill(page, { Name: 'Harbour Books', Slug: SLUG });
  await page.getByLabel('Plan').selectOption('growth');
  await pressButton(page, 'Create tenant');
  await inspect(page, 'admin-tenant');
  const invite = async (slug: string, name: string, email: string) => {
    await page.goto(`/admin/tenants/${slug}`);
    await fill(page, { 'Developer name': name, 'Developer e-mail': email });
    await pressButton(page, 'Create invitation');
    return page.getByLabel('Invitation link').inputValue();
  };
  const own = await invite(SLUG, 'Ada Byron', 'ada@example.com');
  await inspect(page, 'admin-invitation');
  const demo = await invite('demo', 'Mary Somerville', 'mary@example.com');
  for (const part of ['tenants/demo/applications', 'tenants/demo/moves', 'health']) {
    await page.goto(`/admin/${part}`);
    await inspect(page, `admin-${part.split('/').at(-1)}`);
  }
  await page.goto('/admin/tenants/demo/applications');
  await followLink(page.getByRole('link', { name: 'Demo storefront' }));
  await inspect(page, 'admin-application');
  await pressButton(page, 'Sign out');
  return { own, demo };
}
