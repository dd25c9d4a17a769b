import { fill, press, type Stage, says } from './stage.ts';

/** The slug of the tenant that the journey makes. */
export const SLUG = 'harbour-books';

/** The super-admin makes a tenant, and invites a developer to it and one to the demo shop: answers both links. */
export async function superAdmin({ open, look, service }: Stage): Promise<{ own: string; demo: string }> {
  const page = await open();
  await page.goto('/admin');
  await look(page, 'admin-sign-in');
  await fill(page, { 'Super-admin token': 'a guess' });
  await press(page, 'Sign in');
  await says(page, 'The token is incorrect.');
  await look(page, 'admin-wrong-token');
  await fill(page, { 'Super-admin token': service.admin });
  await press(page, 'Sign in');
  await look(page, 'admin-tenants');

  await page.getByRole('link', { name: 'New tenant' }).click();
  await look(page, 'admin-new-tenant');
  await fill(page, { Name: 'Harbour Books', Slug: SLUG });
  await page.getByLabel('Plan').selectOption('growth');
  await press(page, 'Create tenant');
  await look(page, 'admin-tenant');
  const invite = async (slug: string, name: string, email: string) => {
    await page.goto(`/admin/tenants/${slug}`);
    await fill(page, { 'Developer name': name, 'Developer e-mail': email });
    await press(page, 'Create invitation');
    return page.getByLabel('Invitation link').inputValue();
  };
  const own = await invite(SLUG, 'Ada Byron', 'ada@example.com');
  await look(page, 'admin-invitation');
  const demo = await invite('demo', 'Mary Somerville', 'mary@example.com');
  for (const path of ['/admin/tenants/demo/applications', '/admin/health']) {
    await page.goto(path);
    await look(page, path.endsWith('health') ? 'admin-health' : 'admin-applications');
  }
  await page.goto('/admin/tenants/demo/applications');
  await page.getByRole('link', { name: 'Demo storefront' }).click();
  await look(page, 'admin-application');
  await press(page, 'Sign out');
  return { own, demo };
}
