/** Two people, or two tabs, edit the same thing at once. */
import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf } from '../../support/fixtures/browser.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { type World, world } from '../../support/world.ts';

/** A form, and what the two of them change: the first one `theirs`, the second one `other`, or `clash`, the same field. */
interface Case {
  readonly page: string;
  readonly theirs: Record<string, string>;
  readonly other: Record<string, string>;
  readonly clash: Record<string, string>;
  /** The row of the conflict: the field, and both values as the page shows them. */
  readonly row: readonly [field: string, yours: string, theirs: string];
  read(): Promise<unknown>;
  /** What is stored after `theirs`, then also `other`, then `clash` that was kept. */
  readonly stored: readonly [theirs: object, both: object, kept: object];
}

const CASES: Record<string, (shop: World) => Promise<Case>> = {
  'a customer': async (shop) => {
    const { id } = await registerCustomer(shop, { name: 'Ada Lovelace', phone: '+49 30 1234' });
    return {
      page: `/developer/customers/${id}`,
      ...{ theirs: { name: 'Ada King' }, other: { phone: '+49 30 99' }, clash: { name: 'Ada Byron' } },
      row: ['Name', 'Ada Byron', 'Ada King'],
      read: async () => (await shop.get(`/customers/${id}`)).body,
      stored: [
        { name: 'Ada King', phone: '+49 30 1234' },
        { name: 'Ada King', phone: '+49 30 99' },
        { name: 'Ada Byron' },
      ],
    };
  },
  'an address': async (shop) => {
    const ada = await registerCustomer(shop, { name: 'Ada' });
    const home = { country: 'DE', line1: 'Oranienstr. 25', city: 'Berlin' };
    const { id } = (await shop.post('/customers/me/addresses', home, withSession(ada.token))).body;
    return {
      page: `/developer/customers/${ada.id}/addresses/${id}`,
      ...{ theirs: { country: 'Austria' }, other: { city: 'Wien' }, clash: { country: 'Norway' } },
      row: ['Country', 'Norway', 'Austria'],
      read: async () => (await shop.get(`/customers/${ada.id}/addresses`)).body.data[0],
      stored: [{ country: 'AT', city: 'Berlin' }, { country: 'AT', city: 'Wien' }, { country: 'NO' }],
    };
  },
  'a promotion': async (shop) => {
    const made = await shop.post('/promotions', {
      ...{ name: 'Sale', trigger: 'automatic', effect: { kind: 'percent', value: 10 } },
      conditions: { minimum_quantity: 2 },
    });
    return {
      page: `/developer/promotions/${made.body.id}`,
      theirs: { name: 'Summer sale', 'effect.percent': '20' },
      other: { 'conditions.minimum_quantity': '3', ends_at: '2030-12-31T23:59' },
      clash: { 'effect.percent': '30', name: 'Summer sale' },
      row: ['What it gives', '30 % off', '20 % off'],
      read: async () => (await shop.get(`/promotions/${made.body.id}`)).body,
      stored: [
        { name: 'Summer sale', effect: { value: 20 }, conditions: { minimum_quantity: 2 } },
        {
          ...{ name: 'Summer sale', effect: { value: 20 }, conditions: { minimum_quantity: 3 } },
          ends_at: '2030-12-31T23:59:00.000Z',
        },
        { name: 'Summer sale', effect: { value: 30 } },
      ],
    };
  },
};

it.each(Object.entries(CASES))('keeps what two people change of %s', async (_, make) => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const { page, theirs, other, clash, row, read, stored } = await make(shop);
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(page);
  const save = (changes: Record<string, string>) =>
    developer.submit(page, { ...fieldsOf(html, page), ...changes });
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
  const kept = await developer.submit(page, { ...fieldsOf(clashed.html, page), _resolve: mine });
  expect(kept.html).toContain('Saved');
  expect(await read()).toMatchObject(stored[2]);
});
