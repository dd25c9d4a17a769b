import { expect, it } from 'vitest';
import { MINUTE } from '../../../src/kernel/core/clock.ts';
import { requireTenant } from '../../../src/tenants/index.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { lazy } from '../../support/lazy.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';
import { createCoupon, soon } from './coupon-steps.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

it('creates, lists, changes and deletes coupons', async () => {
  const shop = await world();
  const made = await createCoupon(shop, {
    code: ' Summer-10 ',
    starts_at: '2026-01-01T00:00:00+02:00',
    max_uses: 5,
  });
  expect(made.body).toEqual({
    id: expect.any(Number),
    code: 'Summer-10',
    kind: 'percent',
    value: 10,
    minimum_subtotal: null,
    starts_at: '2025-12-31T22:00:00.000Z',
    ends_at: null,
    max_uses: 5,
    max_uses_per_customer: null,
    product_ids: [],
    category_ids: [],
    uses: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const taken = await shop.post('/coupons', { code: 'SUMMER-10', kind: 'free_shipping' });
  expect([taken.status, taken.body.code]).toEqual([409, 'code_taken']);
  await createCoupon(shop, { code: 'Other' });
  const list = await shop.get('/coupons?limit=1&page=2');
  expect(list.body.meta).toEqual({ page: 2, limit: 1, total: 2, total_pages: 2, next_cursor: null });
  expect(list.body.data).toMatchObject([{ code: 'Other' }]);
  const path = `/coupons/${made.body.id}`;
  const changed = await shop.patch(path, { value: 12.5, max_uses: null });
  expect(changed.body).toMatchObject({ code: 'Summer-10', value: 12.5, max_uses: null });
  expect((await shop.patch(path, { code: 'other' })).body.code).toBe('code_taken');
  const gone = await shop.delete(path);
  expect(gone.status).toBe(204);
  expect((await shop.delete(path)).body.code).toBe('coupon_not_found');
  expect((await shop.patch(path, { value: 1 })).status).toBe(404);
  // What was refused has changed nothing, the catalogue's version included.
  const { catalogVersion } = await requireTenant({ db: databaseOf(shop), tenantId: shop.tenantId });
  expect(gone.headers.get('x-catalog-version')).toBe(String(catalogVersion));
  const again = await createCoupon(shop, { code: 'summer-10' });
  expect(Number(again.headers.get('x-catalog-version'))).toBeGreaterThan(catalogVersion);
});

it.each([
  [{ value: 0 }, 'value'],
  [{ value: 100.5 }, 'value'],
  [{ value: 1.2345678 }, 'value'],
  [{ value: { EUR: 5 } }, 'value'],
  [{ kind: 'fixed', value: 0 }, 'value'],
  [{ kind: 'fixed', value: 1.234 }, 'value'],
  [{ kind: 'fixed', value: { USD: 1 } }, 'value'],
  [{ kind: 'free_shipping', value: 5 }, 'value'],
  [{ minimum_subtotal: 1.005 }, 'minimum_subtotal'],
  [{ minimum_subtotal: {} }, 'minimum_subtotal'],
  [{ code: '' }, 'code'],
  [{ code: 'two words' }, 'code'],
  [{ code: 'x'.repeat(65) }, 'code'],
  [{ kind: 'gift' }, 'kind'],
  [{ max_uses: 0 }, 'max_uses'],
  [{ max_uses: 1.5 }, 'max_uses'],
  [{ starts_at: 'now' }, 'starts_at'],
  [{ starts_at: soon(2 * MINUTE), ends_at: soon(MINUTE) }, 'ends_at'],
  [{ product_ids: [0] }, 'product_ids.0'],
])('rejects the coupon %j', async (body, field) => {
  const shop = await untouched();
  const answer = await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10, ...body });
  expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
});

it('becomes free shipping without a value', async () => {
  const shop = await world();
  const path = `/coupons/${(await createCoupon(shop, {})).body.id}`;
  expectProblem(await shop.patch(path, { kind: 'free_shipping', value: 10 }), 422, 'validation_error');
  const changed = await shop.patch(path, { kind: 'free_shipping' });
  expect(changed.body).toMatchObject({ kind: 'free_shipping', value: 0 });
});

it('takes no code that begins with a combining mark', async () => {
  const shop = await world();
  const made = await shop.post('/coupons', { code: '\u0301TEN', kind: 'percent', value: 10 });
  expectProblem(made, 422, 'validation_error');
});
