/** The pages of promotions, settings, feeds and applications, as a merchant uses them. */
import type { Page } from 'playwright-core';
import { followLink, type JourneyContext } from '../journey-context.ts';

/** Makes a promotion and a shipping method that is not offered, and looks at each page of the shop's settings. */
export async function setTerms(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer/new-promotion');
  await page.getByLabel('Name', { exact: true }).fill('Harbour week');
  await page.getByLabel('Code', { exact: true }).fill('HARBOUR10');
  await page.getByLabel('Percent off').first().fill('10');
  await inspect(page, 'developer-new-promotion');
  await page.getByRole('button', { name: 'Create promotion' }).click();
  await page.getByText('10 % off all products, with the code').waitFor();
  await inspect(page, 'developer-promotion');
  await followLink(page.getByRole('link', { name: 'Duplicate' }));
  await page.getByLabel('Code', { exact: true }).fill('HARBOUR20');
  await inspect(page, 'developer-promotion-copy');
  await page.getByRole('button', { name: 'Create promotion' }).click();
  await page.getByRole('heading', { name: 'Copy of Harbour week' }).waitFor();
  await page.goto('/developer/promotions');
  await inspect(page, 'developer-promotions');
  for (const part of ['', '/tax', '/shipping', '/shipping/flat-rates', '/checkout']) {
    await page.goto(`/developer/settings${part}`);
    await inspect(page, `developer-settings${part.replaceAll('/', '-')}`);
  }
  await page.goto('/developer/settings/shipping/new-method');
  await page.getByLabel('Name', { exact: true }).fill('Courier');
  await page.getByLabel('Offered to shoppers').uncheck();
  await page
    .getByLabel(/^Price \(/)
    .first()
    .fill('9.90');
  await inspect(page, 'developer-new-shipping-method');
  await page.getByRole('button', { name: 'Add shipping method' }).click();
  await followLink(page.getByRole('link', { name: 'Courier' }));
  await inspect(page, 'developer-shipping-method');
  await followLink(page.getByRole('link', { name: 'Delete shipping method' }));
  await inspect(page, 'developer-delete-shipping-method');
  await page.getByRole('button', { name: 'Delete shipping method' }).click();
  await page.getByText('No shipping methods yet').waitFor();
  await page.goto('/developer/feeds');
  await inspect(page, 'developer-feeds');
}
