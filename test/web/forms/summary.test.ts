import { expect, it } from 'vitest';
import { labelOf } from '../../../src/web/forms/summary.tsx';
import { asDeveloper, Browser, fill } from '../../support/fixtures/browser.ts';
import { world } from '../../support/world.ts';

const LABELS = new Map([
  ['shipping.flat', 'Price'],
  ['events', 'Events'],
  ['links', 'Files'],
  ['links.0.title', 'Title'],
  ['quantity.1', 'Units of Mug'],
  ['value', 'Amount'],
  ['value.EUR', 'EUR'],
  ['value.USD', 'Amount (USD)'],
]);

it.each([
  ['shipping.flat', 'Price'],
  ['shipping.flat.GBP', 'Price GBP'],
  ['events.0', 'Events line 1'],
  ['links.0.title', 'Files 1, Title'],
  ['links.2.url', 'Files line 3 url'],
  ['quantity.1', 'Units of Mug'],
  ['value.EUR', 'Amount EUR'],
  ['value.USD', 'Amount (USD)'],
  ['rate_limit_per_minute', 'Rate limit per minute'],
])('names the error of %s by its label', (path, label) => {
  expect(labelOf(path, LABELS)).toBe(label);
});

it("shows a form's labels in its error summary", async () => {
  const developer = await asDeveloper((await world()).slug);
  const got = await fill(developer, '/developer/theme', '/developer/theme', { logo_url: 'http://shop' });
  const [, summary = ''] = /role="alert"(.*?)<\/div>/.exec(got.html) ?? [];
  expect(got.html).toContain('<label for="f-logo_url">Logo URL</label>');
  expect(summary).toContain('<a href="#f-logo_url">Logo URL: ');
});

it('says an error once in the summary, and once at its field', async () => {
  const browser = new Browser();
  await browser.get('/admin/sign-in');
  const { html } = await browser.post('/admin/sign-in', { secret: 'a guess' });
  expect(html.match(/The token is incorrect\./g)).toHaveLength(2);
  expect(html).toContain('<a href="#f-secret">Super-admin token: The token is incorrect.</a>');
});
