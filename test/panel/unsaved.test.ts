import { expect, it } from 'vitest';
import { asDeveloper } from '../support/fixtures/browser.ts';
import { promote } from '../support/fixtures/selling/promotions.ts';
import { world } from '../support/world.ts';

it('asks before a form with much to lose is left with changes that are not saved', async () => {
  const shop = await world();
  const { id } = (await promote(shop)).body;
  const method = { id: 'parcel', name: 'Parcel', price: 4.9 };
  await shop.patch('/settings', { shipping: { flat: 0, methods: [method] } });
  const developer = await asDeveloper(shop.slug);
  for (const path of [
    '/new-promotion',
    `/promotions/${id}`,
    '/settings',
    '/settings/tax',
    '/settings/shipping/flat-rates',
    '/settings/shipping/new-method',
    '/settings/shipping/methods/parcel',
    '/settings/checkout',
    '/settings/agents',
    '/new-webhook',
    '/theme',
  ]) {
    const { status, html } = await developer.get(`/developer${path}`);
    expect([path, status, html.includes('data-unsaved')]).toEqual([path, 200, true]);
    expect(html).toContain('src="/panel-assets/unsaved.js"');
  }
});
