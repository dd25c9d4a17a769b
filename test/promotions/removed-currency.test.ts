import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { promote } from '../support/fixtures/selling/promotions.ts';
import { admin, world } from '../support/world.ts';

it('changes a promotion with amounts in a currency that the tenant has removed', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const effect = { kind: 'fixed', value: { EUR: 5, USD: 6 } };
  const conditions = { minimum_subtotal: { EUR: 20, USD: 25 } };
  const path = `/promotions/${(await promote(shop, { effect, conditions })).body.id}`;
  const coupon = await shop.post('/coupons', { code: 'FIVE', kind: 'fixed', value: { EUR: 5, USD: 6 } });
  expect((await admin('PATCH', `/tenants/${shop.slug}`, { currencies: ['EUR'] })).status).toBe(200);
  moveClock(2_000);
  expect((await shop.patch(path, { active: false })).body).toMatchObject({ active: false, effect });
  expect((await shop.patch(path, { effect, conditions, priority: 7 })).body).toMatchObject({ priority: 7 });
  const ended = await shop.patch(`/coupons/${coupon.body.id}`, { ends_at: '2026-01-01T00:00:00Z' });
  expect(ended.body).toMatchObject({ code: 'FIVE', value: { EUR: 5, USD: 6 } });
  const refused = await shop.patch(path, { effect: { kind: 'fixed', value: { EUR: 5, JPY: 6 } } });
  expect(refused.body.errors).toEqual({ 'effect.value': ['the tenant does not sell in JPY'] });
});
