import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { followLink, type JourneyContext, waitForText } from '../journey-context.ts';

/** Runs a snippet's curl in a shell, with real tokens and values in place of its placeholders. */
async function runSnippet(
  snippet: string,
  environment: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const command = snippet.replaceAll(/^\w+=.*$/gm, '').replace('curl ', 'curl --silent --show-error --fail ');
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { env });
  return JSON.parse(stdout);
}

/** A developer follows the quick start: copies the snippets, runs them in a shell, and finds them in the log. */
export async function quickStart(
  page: Page,
  { inspect, service }: JourneyContext,
  token: string,
): Promise<void> {
  await page.goto('/developer/quick-start');
  await inspect(page, 'developer-quick-start');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.base });
  const copied = async (step: string): Promise<string> => {
    await page.getByRole('button', { name: `Copy curl: ${step}` }).click();
    return page.evaluate('navigator.clipboard.readText()');
  };
  const setUp = await copied('set up');
  const [, base = ''] = /^BASE=(\S+)$/m.exec(setUp) ?? [];
  const [, variable = ''] = /^(\w+_TOKEN)=/m.exec(setUp) ?? [];
  const listed = await runSnippet(await copied('list products'), { BASE: base, [variable]: token });
  assert.ok(Array.isArray(listed.data) && listed.data.length > 0, 'the snippet lists products');
  // The log has a call a second or two later.
  await page.goto('/developer/request-log');
  for (let n = 0; n < 20 && !(await page.getByText('GET /v1/products', { exact: true }).count()); n++) {
    await page.waitForTimeout(500);
    await page.reload();
  }
  await inspect(page, 'developer-request-log');
  const id = await page
    .getByRole('cell', { name: /^[0-9a-f]{8}-[0-9a-f-]{27}$/ })
    .first()
    .textContent();
  await page.getByLabel('Request id').fill(id ?? '');
  await page.getByRole('button', { name: 'Find request' }).click();
  await waitForText(page, 'Duration');
  await inspect(page, 'developer-request');
  await page.getByLabel('Request id').fill('made up');
  await page.getByRole('button', { name: 'Find request' }).click();
  await waitForText(page, 'No request with this id');
  await inspect(page, 'developer-no-request');
}

/** A developer enters a token in the API reference once: it is kept when the page is loaded again. */
export async function apiReference(page: Page, token: string): Promise<void> {
  await page.goto('/docs/');
  const authorize = page.getByRole('button', { name: 'Authorize', exact: true }).first();
  await authorize.click();
  await page.locator('.auth-container input').first().fill(token);
  await page.getByRole('button', { name: 'Apply credentials' }).first().click();
  const remove = page.getByRole('button', { name: 'Remove authorization' });
  await remove.first().waitFor();
  await page.reload();
  await authorize.click();
  await remove.first().waitFor();
  assert.equal(await remove.count(), 1);
}

/** A merchant reads the shop's sales and calls over each period. */
export async function overview(page: Page, { inspect }: JourneyContext): Promise<void> {
  await page.goto('/developer');
  for (const period of ['7 days', '30 days', '24 hours']) {
    await followLink(page.getByRole('link', { name: period }));
    await waitForText(page, 'Average basket');
    await inspect(page, `developer-overview-${period.replace(' ', '-')}`);
  }
  await page.getByText(/^Numbers by hour/).click();
  await inspect(page, 'developer-overview-numbers');
}

/** A developer inspects what a webhook's receiver got and how it responded. */
export async function seeDelivery(page: Page, { inspect, outside }: JourneyContext): Promise<void> {
  await page.goto('/developer/webhooks');
  await followLink(page.getByRole('link', { name: outside.hooks }));
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  const paid = page.getByRole('link', { name: 'order.paid' }).first();
  for (let number = 2; (await paid.count()) === 0; number++) {
    await followLink(page.getByRole('link', { name: 'Next', exact: true }));
    await waitForText(page, `Page ${number} of`);
  }
  await followLink(paid);
  await page.getByRole('heading', { name: /^Attempt 1: 2\d\d/ }).waitFor();
  await waitForText(page, '"type": "order.paid"');
  await inspect(page, 'developer-delivery');
}
