/** Two people, or two tabs, edit the same category. */

import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf } from '../../../support/fixtures/browser.ts';
import { NEWEST } from '../../../support/fixtures/catalog/products.ts';
import { world } from '../../../support/world.ts';

async function twoTabs() {
  const shop = await world();
  const { id } = (await shop.post('/categories', { name: 'Mugs', description: 'For tea' })).body;
  const here = `/developer/categories/${id}`;
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(here);
  const save = (changes: Record<string, string>) =>
    developer.submit(here, { ...fieldsOf(html, here), ...changes });
  const stored = async () => (await shop.get(`/categories/${id}`, NEWEST)).body;
  return { developer, here, save, stored };
}

it('keeps what the other one saved, and says that there was another change', async () => {
  const { save, stored } = await twoTabs();
  expect((await save({ name: 'Cups' })).html).toContain('Saved.');
  const second = await save({ description: 'For coffee' });
  expect(second.html).toContain('Someone else changed other fields meanwhile');
  expect(await stored()).toMatchObject({ name: 'Cups', description: 'For coffee' });
});

it('shows both names, and saves neither until one is chosen', async () => {
  const { developer, here, save, stored } = await twoTabs();
  await save({ name: 'Cups' });
  const second = await save({ name: 'Beakers' });
  expect(second.status).toBe(409);
  expect(second.html).toMatch(/Name<\/td><td[^>]*>Beakers<\/td><td[^>]*>Cups</);
  expect(await stored()).toMatchObject({ name: 'Cups' });
  const mine = /name="_resolve" value="(mine [^"]+)"/.exec(second.html)?.[1] ?? '';
  const kept = await developer.submit(here, { ...fieldsOf(second.html, here), _resolve: mine });
  expect(kept.html).toContain('Saved.');
  expect(await stored()).toMatchObject({ name: 'Beakers' });
});

it('says that a page of the tree does not exist, and links the last one', async () => {
  const { developer } = await twoTabs();
  const { html } = await developer.get('/developer/categories?page=99');
  expect(html).toContain('There is no page 99');
  expect(html).toContain('href="/developer/categories?page=1"');
});
