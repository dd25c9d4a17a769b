import { expect, it } from 'vitest';
import { asDeveloper, fieldsOfForm } from '../support/fixtures/browser.ts';
import { world } from '../support/world.ts';

/** The forms that search and filter the lists of the panel. */

it.each([
  ['products', 'category_id=shoes', { status: 'active' }],
  ['products', 'page=last', { vendor: 'Oak' }],
  ['promotions', 'standing=soon', { q: 'summer' }],
  ['orders', 'from=yesterday', { tag: 'gift' }],
  ['customers', 'sort=cheapest', { q: 'ada' }],
])('say above the list of %s why %s was refused, and keep the filters', async (list, wrong, given) => {
  const developer = await asDeveloper((await world()).slug);
  const path = `/developer/${list}`;
  const { status, html } = await developer.get(`${path}?${wrong}&${new URLSearchParams(given)}`);
  expect(status).toBe(422);
  expect(html).toContain(`role="alert">${wrong.split('=')[0]}: `);
  expect(fieldsOfForm(html, `action="${path}"`)).toMatchObject(given);
});

const LISTS = ['products', 'media', 'promotions', 'orders', 'customers', 'request-log', 'audit-log'];

it.each(LISTS)('have a visible label for each filter of /developer/%s', async (list) => {
  const shop = await world();
  await shop.register();
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(`/developer/${list}`);
  const [, form = ''] = /<form class="search"[^>]*>(.*?)<\/form>/s.exec(html) ?? [];
  const unlabelled = form.replace(/<label>\s*\w.*?<\/label>/gs, '');
  expect(form).toContain('<label>');
  expect(unlabelled).not.toMatch(/<(input|select)(?! type="hidden")/);
});
