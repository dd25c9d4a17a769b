/** Parcels of an order: recording, delivering and cancelling them, and their packing slips. */

import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf } from '../../../support/fixtures/browser.ts';
import { world } from '../../../support/world.ts';
import { paidCups } from './paid-cups.ts';

it('fulfils chosen quantities with tracking, marks a parcel delivered and cancels it', async () => {
  const { shop, developer, here, path } = await paidCups();
  expect(developer.last.html).toContain('unfulfilled');
  expect(developer.last.html).toContain(`href="${here}/fulfil"`);
  await developer.get(`${here}/fulfil`);
  const form = fieldsOf(developer.last.html, `${here}/fulfil`);
  expect(form).toMatchObject({ 'quantity.1': '2', carrier: '', number: '', url: '' });
  const url = 'https://dhl.example.com/0034';
  await developer.submit(`${here}/fulfil`, { ...form, 'quantity.1': '1', carrier: 'DHL', url });
  expect(developer.last.html).toContain('The fulfilment is recorded.');
  expect(developer.last.html).toContain(`<a href="${url}">DHL</a>`);
  const [one] = (await shop.get(path)).body.fulfilments;
  expect(one).toMatchObject({
    items: [{ line_id: 1, quantity: 1 }],
    tracking: { carrier: 'DHL', number: null },
  });
  const parcel = `${here}/fulfilments/${one.id}`;
  await developer.submit(`${parcel}/delivered`, {});
  expect(developer.last.html).not.toContain(`${parcel}/delivered`);
  const [{ delivered_at }] = (await shop.get(path)).body.fulfilments;
  expect(developer.last.html).toMatch(new RegExp(`delivered</span> <time datetime="${delivered_at}"`));
  // The button that cancels is on a page that asks.
  expect(developer.last.html).not.toContain(`action="${parcel}/cancel"`);
  await developer.get(`${parcel}/cancel`);
  expect(developer.last.html).toContain('1 × Cup can then be fulfilled again.');
  await developer.submit(`${parcel}/cancel`, {});
  expect((await shop.get(path)).body).toMatchObject({ fulfilment_status: 'unfulfilled' });
  await developer.get(`${here}/fulfil`);
  expect(fieldsOf(developer.last.html, `${here}/fulfil`)).toMatchObject({ 'quantity.1': '2' });
  const { data } = (await shop.get(`${path}/timeline`)).body;
  expect(data.at(-1)).toMatchObject({ type: 'edited', by: { kind: 'panel' } });
});

it('names the field of a fulfilment that is refused, and keeps what was typed', async () => {
  const { shop, developer, here, path } = await paidCups();
  await developer.get(`${here}/fulfil`);
  const form = fieldsOf(developer.last.html, `${here}/fulfil`);
  await developer.post(`${here}/fulfil`, { ...form, 'quantity.1': '3', number: '0034' });
  expect(developer.last.html).toContain('href="#f-quantity.1"');
  expect(developer.last.html).toContain('must be at most 2');
  expect(fieldsOf(developer.last.html, `${here}/fulfil`)).toMatchObject({
    'quantity.1': '3',
    number: '0034',
  });
  await developer.post(`${here}/fulfil`, { ...form, url: 'ftp://x' });
  expect(developer.last.html).toContain('href="#f-url"');
  expect((await shop.get(path)).body.fulfilments).toEqual([]);
  // The same form sent twice creates one fulfilment.
  await developer.get(`${here}/fulfil`);
  const again = fieldsOf(developer.last.html, `${here}/fulfil`);
  for (const _ of [1, 2]) await developer.submit(`${here}/fulfil`, { ...again, 'quantity.1': '1' });
  expect((await shop.get(path)).body.fulfilments).toHaveLength(1);
});

it('says at the first line that a parcel without any unit is none', async () => {
  const { developer, here } = await paidCups();
  const { html } = await developer.get(`${here}/fulfil`);
  const sent = fieldsOf(html, `${here}/fulfil`);
  const [line = ''] = Object.keys(sent).filter((name) => name.startsWith('quantity.'));
  const refused = await developer.submit(`${here}/fulfil`, { ...sent, [line]: '0' });
  expect(refused.html).toContain('Nothing is in the parcel.');
  expect(refused.html).toMatch(
    new RegExp(`<a href="#f-${line}">Fulfil of Cup[^<]*: enter a quantity, here or`),
  );
});

it('prints a packing slip of the order and of each parcel, without prices', async () => {
  const { shop, developer, here, path } = await paidCups();
  const slip = await developer.get(`${here}/packing-slip`);
  expect(slip.html).toMatch(/<td[^>]*>2<\/td><td[^>]*>Cup<\/td>/);
  expect(slip.html).not.toMatch(/€|Total|Price/);
  expect(slip.html).toContain('<address><bdi>Ada Lovelace</bdi><br/>');
  const parcel = await shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }] });
  const one = await developer.get(`${here}/packing-slip?fulfilment=${parcel.body.id}`);
  expect(one.html).toMatch(/<td[^>]*>1<\/td><td[^>]*>Cup<\/td>/);
  expect((await developer.get(`${here}/packing-slip?fulfilment=ful_x`)).status).toBe(404);
  const theirs = await asDeveloper((await world()).slug);
  for (const page of ['packing-slip', 'fulfil', 'cancel', 'refund']) {
    expect((await theirs.get(`${here}/${page}`)).status, page).toBe(404);
  }
});
