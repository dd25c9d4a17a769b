/** Two people, or two tabs, edit the same thing at once. */

import { expect, it } from 'vitest';
import { asAdmin, asDeveloper, fieldsOf } from '../../support/fixtures/browser.ts';
import { world } from '../../support/world.ts';
import { EDITED_FORMS, type Fields } from './edited-forms.ts';

it.each(Object.entries(EDITED_FORMS))('keeps the changes of two people to %s', async (_, make) => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const { page, theirs, other, clash, row, read, stored } = await make(shop);
  const browser = page.startsWith('/admin') ? await asAdmin() : await asDeveloper(shop.slug);
  const { html } = await browser.get(page);
  const save = (changes: Fields) => browser.submit(page, { ...fieldsOf(html, page), ...changes });
  expect((await save(theirs)).html).toContain('Saved.');
  expect(await read()).toMatchObject(stored[0]);
  expect((await save(other)).html).toContain('Someone else changed other fields meanwhile');
  expect(await read()).toMatchObject(stored[1]);
  const clashed = await save(clash);
  expect(clashed.status).toBe(409);
  const [field, yours, wanted] = row;
  expect(clashed.html).toMatch(new RegExp(`>${field}</td><td[^>]*>${yours}</td><td[^>]*>${wanted}<`));
  expect(await read()).toMatchObject(stored[1]);
  const mine = /name="_resolve" value="(mine [^"]+)"/.exec(clashed.html)?.[1] ?? '';
  const kept = await browser.submit(page, { ...fieldsOf(clashed.html, page), _resolve: mine });
  expect(kept.html).toContain('Saved');
  expect(await read()).toMatchObject(stored[2]);
});
