/** Forms of the settings that are sent again, as by a double click. */
import { expect, it } from 'vitest';
import { listKeys } from '../../../../src/ucp/index.ts';
import { sendUcp } from '../../../support/fixtures/agents/agent-shop.ts';
import { asDeveloper, fieldsOf, fill } from '../../../support/fixtures/browser.ts';
import { databaseOf } from '../../../support/runtime/runtime.ts';
import { world } from '../../../support/world.ts';

const SHIPPING = '/developer/settings/shipping';
const NEW = `${SHIPPING}/new-method`;
const ROTATE = '/developer/settings/agents/rotate-key';

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

it.each([
  ['after the first press was answered', false],
  ['at the same time', true],
])("rotates an agents' key once when its form is sent twice, %s", async (_, isConcurrent) => {
  const shop = await world({ settings: { ucp: { enabled: true } } });
  const developer = await asDeveloper(shop.slug);
  const published = () => listKeys({ db: databaseOf(shop), tenantId: shop.tenantId });
  await sendUcp('GET', `/ucp/${shop.slug}/.well-known/ucp`);
  const [first] = await published();
  for (const compromised of [{}, { compromised: 'yes' }]) {
    const before = (await published()).length;
    const form = { ...fieldsOf((await developer.get(ROTATE)).html, ROTATE), ...compromised };
    const press = () => developer.post(ROTATE, form);
    const sent = isConcurrent ? await Promise.all([press(), press()]) : [await press(), await press()];
    expect(sent.map(({ status }) => status)).toEqual([303, 303]);
    const keys = await published();
    expect(keys).toHaveLength('compromised' in compromised ? 1 : before + 1);
    expect(keys.some(({ kid }) => kid === first?.kid)).toBe(!('compromised' in compromised));
  }
  expect((await shop.get('/audit?action=rotateSigningKey')).body.data).toHaveLength(2);
});

it('ends a compromised key also when another owner has rotated it since the question was shown', async () => {
  const shop = await world({ settings: { ucp: { enabled: true } } });
  const [one, other] = [
    await asDeveloper(shop.slug),
    await asDeveloper(shop.slug, undefined, 'bob@example.com'),
  ];
  await sendUcp('GET', `/ucp/${shop.slug}/.well-known/ucp`);
  const form = fieldsOf((await one.get(ROTATE)).html, ROTATE);
  await fill(other, ROTATE, ROTATE, {});
  await one.post(ROTATE, { ...form, compromised: 'yes' });
  expect(await listKeys({ db: databaseOf(shop), tenantId: shop.tenantId })).toHaveLength(1);
});
