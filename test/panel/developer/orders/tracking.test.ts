import { expect, it } from 'vitest';
import { fieldsOf } from '../../../support/fixtures/browser.ts';
import { paidCups } from './paid-cups.ts';

it('changes the tracking of a parcel that was sent, and never what somebody else changed meanwhile', async () => {
  const { shop, developer, here, path } = await paidCups();
  const { id } = (await shop.post(`${path}/fulfilments`, { tracking: { carrier: 'DHL' } })).body;
  const page = `${here}/fulfilments/${id}/tracking`;
  expect((await developer.get(here)).html).toContain(`href="${page}"`);
  const shown = fieldsOf((await developer.get(page)).html, page);
  expect(shown).toMatchObject({ carrier: 'DHL', number: '', url: '' });
  const wrong = await developer.post(page, { ...shown, url: 'http://dhl.example.com' });
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('href="#f-url"')]);
  const tracking = async () => (await shop.get(path)).body.fulfilments[0].tracking;
  await developer.submit(page, { ...shown, number: ' 0034 ' });
  expect(developer.last.html).toContain('DHL 0034');
  expect(await tracking()).toEqual({ carrier: 'DHL', number: '0034', url: null });
  // A form that was open before changes its own field only, and asks where both changed one.
  await developer.submit(page, { ...shown, carrier: 'GLS' });
  expect(await tracking()).toEqual({ carrier: 'GLS', number: '0034', url: null });
  expect((await developer.post(page, { ...shown, number: '99' })).status).toBe(409);
  const now = fieldsOf((await developer.get(page)).html, page);
  await developer.submit(page, { ...now, carrier: '', number: '' });
  expect(await tracking()).toBeNull();
});

it('leaves a cancelled parcel as it is', async () => {
  const { shop, developer, here, path } = await paidCups();
  const { id } = (await shop.post(`${path}/fulfilments`, {})).body;
  const page = `${here}/fulfilments/${id}/tracking`;
  const shown = fieldsOf((await developer.get(page)).html, page);
  await shop.patch(`${path}/fulfilments/${id}`, { status: 'cancelled' });
  expect((await developer.get(here)).html).not.toContain(`href="${page}"`);
  expect((await developer.post(page, { ...shown, number: '0034' })).status).toBe(409);
  expect((await developer.get(`${here}/fulfilments/ful_x/tracking`)).status).toBe(404);
});
