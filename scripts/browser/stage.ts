import type { Page } from 'playwright-core';
import type { Outside } from './outside.ts';
import type { Service } from './service.ts';

/** What every chapter of the journey plays on. */
export interface Stage {
  readonly service: Service;
  readonly outside: Outside;
  /** A browser of somebody's own, with an empty page. */
  open(): Promise<Page>;
  /** Looks whether the page is as it should be, and keeps pictures of it under this name. */
  look(page: Page, name: string): Promise<void>;
}

/** Presses a button that leads to a page, and waits for it. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
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

/** Waits until the page says this. */
export const says = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).first().waitFor();
