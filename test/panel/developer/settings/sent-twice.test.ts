/** Forms of the settings that are sent again, as by a double click. */
import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf } from '../../../support/fixtures/browser.ts';
import { world } from '../../../support/world.ts';

const SHIPPING = '/developer/settings/shipping';
const NEW = `${SHIPPING}/new-method`;

it.each([
  ['a fixed price', { basis: 'price', 'price.EUR': '9' }],
  [
    'tiers, countries and days',
    {
      basis: 'weight',
      countries: 'Germany, Austria',
      min_days: '1',
      'free_over.EUR': '60',
      'by_weight.0.from': '0',
      'by_weight.0.price.EUR': '4,50',
    },
  ],
])('adds one shipping method with %s when its form is sent twice', async (_, fields) => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const shown = fieldsOf((await developer.get(NEW)).html, NEW);
  const form = { ...shown, ...fields, name: 'Express', active: 'yes' };
  for (const description of ['By van', 'By van', 'By bicycle', 'By van']) {
    const sent = await developer.post(NEW, { ...form, description });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${SHIPPING}?note=created`]);
  }
  const { methods } = (await shop.get('/settings')).body.shipping;
  expect(methods.map(({ id, description }: Record<string, string>) => [id, description])).toEqual([
    ['express', 'By van'],
    ['express-2', 'By bicycle'],
  ]);
});
