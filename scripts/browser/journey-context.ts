import type { Locator, Page } from 'playwright-core';
import type { Outside } from './outside.ts';
import type { Service } from './service.ts';

/** What every part of the journey runs with. */
export interface JourneyContext {
  readonly service: Service;
  readonly outside: Outside;
  /** Opens an empty page in a browser context of its own. */
  open(): Promise<Page>;
  /** Asserts that the page is accessible, small and complete, and takes pictures of it under this name. */
  inspect(page: Page, name: string): Promise<void>;
}

/** Follows a link, and waits until its page has loaded with its scripts. */
export async function followLink(link: Locator): Promise<void> {
  await link.click();
  await link.page().waitForLoadState();
}

/** Presses a button that leads to a page, and waits for it. */
export async function pressButton(page: Page, name: string | RegExp): Promise<void> {
  const exact = typeof name === 'string';
  await page.getByRole('button', { name, exact }).first().click();
  await page.waitForLoadState();
}

/** Fills in fields by their labels. */
export async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

/** Waits until the page shows this text. */
export const waitForText = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).first().waitFor();
