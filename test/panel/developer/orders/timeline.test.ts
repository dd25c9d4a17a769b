import { expect, it } from 'vitest';
import { paidCups } from './paid-cups.ts';

/** The entries of the timeline on an order's page as text, newest first, without times. */
const entriesOf = (html: string): string[] =>
  [...(/<ol class="timeline">(.*?)<\/ol>/s.exec(html)?.[1] ?? '').matchAll(/<li>(.*?)<\/li>/gs)].map(
    ([, entry = '']) =>
      entry
        .replace(/<time.*?<\/time>/g, '')
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
  );

it('says in sentences what happened to an order', async () => {
  const { shop, developer, here, path } = await paidCups();
  const tracking = { carrier: 'DHL', number: '1' };
  const parcel = await shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }], tracking });
  const { id } = parcel.body;
  for (const change of [{ tracking: { carrier: 'UPS' } }, { status: 'delivered' }, { status: 'cancelled' }]) {
    await shop.patch(`${path}/fulfilments/${id}`, change);
  }
  await shop.patch(path, { tags: ['gift'], metadata: { invoice: '7' } });
  await shop.patch(path, { archived: true });
  await shop.patch(path, { archived: false });
  await shop.post(`${path}/refunds`, { amount: 2.5 });
  await shop.post(`${path}/cancel`);
  const entries = entriesOf((await developer.get(here)).html);
  expect(entries.map((entry) => entry.replace(/ by application app ?,/, ':').trim())).toEqual([
    'Cancelled:',
    'Refunded: €17.50, because the order was cancelled',
    'Refunded: €2.50',
    'Edited: archived or opened again',
    'Edited: archived or opened again',
    'Edited: metadata and tags',
    'Edited: fulfilment 1 (cancelled)',
    'Edited: fulfilment 1 (delivered)',
    'Edited: fulfilment 1 (shipped)',
    'Fulfilled: 1 × Cup',
  ]);
});

it('keeps the lines of a note of the shop, and of the shopper', async () => {
  const { shop, developer, here, path } = await paidCups({ note: 'Dear Anna,\nhappy birthday' });
  await shop.post(`${path}/notes`, { text: 'Called twice.\nNobody there.' });
  const { html } = await developer.get(here);
  expect(html).toContain('<p class="hint lines">Called twice.\nNobody there.</p>');
  expect(html).toContain('<span class="lines">Dear Anna,\nhappy birthday</span>');
  const slip = await developer.get(`${here}/packing-slip`);
  expect(slip.html).toContain('<p class="lines">Note: <bdi>Dear Anna,\nhappy birthday</bdi></p>');
});
