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
