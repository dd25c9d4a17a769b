import { expect, it } from 'vitest';
import { MINUTE, moveClock, now } from '../../src/kernel/core/clock.ts';
import { requireTenant } from '../../src/tenants/index.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { promote, promoteByCode } from '../support/fixtures/selling/promotions.ts';
import { lazy } from '../support/lazy.ts';
import { databaseOf, storeOf } from '../support/runtime/runtime.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { world } from '../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

const at = (ms: number) => new Date(now() + ms).toISOString();

it('creates, lists, changes and deletes promotions', async () => {
  const shop = await world();
  const made = await promote(shop, {
    name: ' Third half price ',
    effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent_off: 50 },
    conditions: { minimum_subtotal: { EUR: 20 }, minimum_quantity: 3, first_order: true },
    priority: 5,
    combinable: true,
    starts_at: '2026-01-01T00:00:00+02:00',
    max_uses: 9,
  });
  const whole = {
    id: expect.any(Number),
    name: 'Third half price',
    trigger: 'automatic',
    code: null,
    conditions: {
      minimum_subtotal: { EUR: 20 },
      minimum_quantity: 3,
      first_order: true,
      product_ids: [],
      category_ids: [],
    },
    effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent_off: 50 },
    priority: 5,
    combinable: true,
    starts_at: '2025-12-31T22:00:00.000Z',
    ends_at: null,
    max_uses: 9,
    max_uses_per_customer: null,
    active: true,
    uses: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  };
  expect(made.body).toEqual(whole);
  const path = `/promotions/${made.body.id}`;
  expect((await shop.get(path)).body).toEqual(whole);
  const other = await promoteByCode(shop, 'SUMMER', { effect: { kind: 'fixed', value: { EUR: 5 } } });
  expect(other.body).toMatchObject({ code: 'SUMMER', priority: 100, combinable: false, active: true });
  const list = await shop.get('/promotions?limit=1');
  expect(list.body).toMatchObject({ data: [whole], meta: { total: 2, total_pages: 2 } });
  const next = await shop.get(`/promotions?limit=1&cursor=${list.body.meta.next_cursor}`);
  expect(next.body.data).toMatchObject([{ code: 'SUMMER' }]);
  const changed = await shop.patch(path, { conditions: { minimum_quantity: null }, active: false });
  expect(changed.body).toMatchObject({
    active: false,
    priority: 5,
    effect: whole.effect,
    conditions: { minimum_subtotal: { EUR: 20 }, minimum_quantity: null, first_order: true },
  });
  const gone = await shop.delete(path);
  expect(gone.status).toBe(204);
  expectProblem(await shop.get(path), 404, 'promotion_not_found');
  expectProblem(await shop.patch(path, { name: 'X' }), 404, 'promotion_not_found');
  expectProblem(await shop.delete(path), 404, 'promotion_not_found');
  const { catalogVersion } = await requireTenant({ db: databaseOf(shop), tenantId: shop.tenantId });
  expect(gone.headers.get('x-catalog-version')).toBe(String(catalogVersion));
});

it('begins at once and never ends where its times are set to null', async () => {
  const shop = await world();
  const times = { starts_at: at(60 * MINUTE), ends_at: at(120 * MINUTE) };
  const { body } = await promote(shop, times);
  const listed = async (standing: string) =>
    (await shop.get(`/promotions?standing=${standing}`)).body.data.map(({ id }: { id: number }) => id);
  expect(await listed('scheduled')).toEqual([body.id]);
  const path = `/promotions/${body.id}`;
  expect((await shop.patch(path, { starts_at: null, ends_at: null })).body).toMatchObject({
    starts_at: null,
    ends_at: null,
  });
  expect(await listed('scheduled')).toEqual([]);
  moveClock(180 * MINUTE);
  expect(await listed('over')).toEqual([]);
});

it('changes from automatic to a code and back', async () => {
  const shop = await world();
  const path = `/promotions/${(await promote(shop)).body.id}`;
  const refused = await shop.patch(path, { trigger: 'code' });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['code']]);
  expect((await shop.patch(path, { trigger: 'code', code: 'NOW' })).body).toMatchObject({ code: 'NOW' });
  expect((await shop.patch(path, { code: null })).status).toBe(422);
  const back = await shop.patch(path, { trigger: 'automatic' });
  expect(back.body).toMatchObject({ trigger: 'automatic', code: null });
  expect((await shop.patch(path, { code: 'NOW' })).status).toBe(422);
  expect((await shop.post('/coupons', { code: 'NOW', kind: 'percent', value: 1 })).status).toBe(201);
});

it.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(121) }, 'name'],
  [{ trigger: 'manual' }, 'trigger'],
  [{ trigger: 'code' }, 'code'],
  [{ code: 'TEN' }, 'code'],
  [{ trigger: 'code', code: 'two words' }, 'code'],
  [{ effect: { kind: 'gift' } }, 'effect.kind'],
  [{ effect: { kind: 'percent', value: 0 } }, 'effect.value'],
  [{ effect: { kind: 'percent', value: 101 } }, 'effect.value'],
  [{ effect: { kind: 'percent', value: 1.2345678 } }, 'effect.value'],
  [{ effect: { kind: 'percent' } }, 'effect.value'],
  [{ effect: { kind: 'fixed', value: 0 } }, 'effect.value'],
  [{ effect: { kind: 'fixed', value: { USD: 1 } } }, 'effect.value'],
  [{ effect: { kind: 'free_shipping', value: 1 } }, 'effect.value'],
  [{ effect: { kind: 'buy_x_get_y', buy: 0, get: 1, percent_off: 10 } }, 'effect.buy'],
  [{ effect: { kind: 'buy_x_get_y', buy: 1, get: 1.5, percent_off: 10 } }, 'effect.get'],
  [{ effect: { kind: 'buy_x_get_y', buy: 1, get: 1, percent_off: 0 } }, 'effect.percent_off'],
  [{ effect: { kind: 'buy_x_get_y', buy: 1, get: 1, percent_off: 100.1 } }, 'effect.percent_off'],
  [{ conditions: { minimum_subtotal: 1.005 } }, 'conditions.minimum_subtotal'],
  [{ conditions: { minimum_quantity: 0 } }, 'conditions.minimum_quantity'],
  [{ conditions: { product_ids: [0] } }, 'conditions.product_ids.0'],
  [{ conditions: { product_ids: [999_999] } }, 'conditions.product_ids'],
  [{ conditions: { category_ids: [999_999] } }, 'conditions.category_ids'],
  [{ conditions: { first_order: 'yes' } }, 'conditions.first_order'],
  [{ conditions: { weather: 'sunny' } }, 'conditions.weather'],
  [{ priority: -1 }, 'priority'],
  [{ priority: 1001 }, 'priority'],
  [{ combinable: 1 }, 'combinable'],
  [{ starts_at: 'now' }, 'starts_at'],
  [{ starts_at: at(2 * MINUTE), ends_at: at(MINUTE) }, 'ends_at'],
  [{ max_uses: 0 }, 'max_uses'],
  [{ max_uses_per_customer: 1.5 }, 'max_uses_per_customer'],
  [{ active: 'true' }, 'active'],
  [{ colour: 'red' }, 'colour'],
])('rejects the promotion %j', async (body, field) => {
  const shop = await untouched();
  const sale = { name: 'Sale', trigger: 'automatic', effect: { kind: 'percent', value: 10 } };
  const answer = await shop.post('/promotions', { ...sale, ...body });
  expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
});

it('shows coupons as promotions, and promotions with a code as coupons', async () => {
  const shop = await world();
  const { body: coupon } = await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
  expect((await shop.get(`/promotions/${coupon.id}`)).body).toMatchObject({
    name: 'TEN',
    trigger: 'code',
    code: 'TEN',
    combinable: false,
    priority: 100,
    active: true,
    effect: { kind: 'percent', value: 10 },
  });
  const { body: ship } = await promoteByCode(shop, 'SHIP', {
    name: 'Free shipping',
    effect: { kind: 'free_shipping' },
    combinable: true,
    conditions: { minimum_subtotal: 30, minimum_quantity: 2 },
  });
  const shown = await shop.get(`/coupons/${ship.id}`);
  expect(shown.body).toMatchObject({ code: 'SHIP', kind: 'free_shipping', value: 0, minimum_subtotal: 30 });
  // A coupon's fields are replaced, a promotion's others stay.
  await shop.patch(`/coupons/${ship.id}`, { code: 'POST', minimum_subtotal: 10 });
  expect((await shop.get(`/promotions/${ship.id}`)).body).toMatchObject({
    name: 'Free shipping',
    code: 'POST',
    combinable: true,
    conditions: { minimum_subtotal: 10, minimum_quantity: 2 },
  });
  await shop.patch(`/coupons/${coupon.id}`, { code: 'ELEVEN' });
  expect((await shop.get(`/promotions/${coupon.id}`)).body.name).toBe('ELEVEN');
});

it('keeps promotions that no coupon can be out of the coupons', async () => {
  const shop = await world();
  const sets = { effect: { kind: 'buy_x_get_y', buy: 1, get: 1, percent_off: 100 } };
  for (const { body } of [await promote(shop), await promoteByCode(shop, 'TWO', sets)]) {
    expectProblem(await shop.get(`/coupons/${body.id}`), 404, 'coupon_not_found');
    expectProblem(await shop.patch(`/coupons/${body.id}`, { value: 1 }), 404, 'coupon_not_found');
    expectProblem(await shop.delete(`/coupons/${body.id}`), 404, 'coupon_not_found');
  }
  expect((await shop.get('/coupons')).body.meta.total).toBe(0);
  expectProblem(await shop.post('/coupons', { code: 'two', kind: 'percent', value: 1 }), 409, 'code_taken');
});

it('refuses a change of what another request changes in the same instant', async () => {
  const shop = await world();
  stopClock();
  const path = `/promotions/${(await promote(shop)).body.id}`;
  beforeBatch(/update "promotions"/i, async () => {
    expect((await shop.patch(path, { priority: 7 })).status).toBe(200);
  });
  expectProblem(await shop.patch(path, { name: 'Late' }), 409, 'conflict');
  expect((await shop.get(path)).body).toMatchObject({ priority: 7, name: 'Sale' });
});

it('allows 20 automatic promotions that are active and not over', async () => {
  const shop = await world();
  const all = await Promise.all(Array.from({ length: 20 }, () => promote(shop)));
  const one = { name: 'Sale', trigger: 'automatic', effect: { kind: 'percent', value: 10 } };
  const refused = await shop.post('/promotions', one);
  expectProblem(refused, 409, 'quota_exceeded');
  expect(refused.body.details).toEqual({ quota: 'automatic_promotions', limit: 20 });
  const idle = await promote(shop, { active: false });
  const path = `/promotions/${idle.body.id}`;
  expectProblem(await shop.patch(path, { active: true }), 409, 'quota_exceeded');
  expect((await shop.patch(path, { name: 'Later' })).status).toBe(200);
  // Each of the 20 can still be changed, and ending one allows another.
  const first = `/promotions/${all[0]?.body.id}`;
  expect((await shop.patch(first, { ends_at: at(MINUTE) })).status).toBe(200);
  moveClock(2 * MINUTE);
  expect((await shop.patch(path, { active: true })).status).toBe(200);
  expectProblem(await shop.post('/promotions', one), 409, 'quota_exceeded');
  await promoteByCode(shop, 'CODES-ARE-NOT-COUNTED');
});

it('creates an automatic promotion once for an Idempotency-Key', async () => {
  const shop = await world();
  const sale = { name: 'Sale', trigger: 'automatic', effect: { kind: 'percent', value: 10 } };
  const key = { headers: { 'idempotency-key': crypto.randomUUID() } };
  const [first, second] = [
    await shop.post('/promotions', sale, key),
    await shop.post('/promotions', sale, key),
  ];
  expect([first.status, second.body.id]).toEqual([201, first.body.id]);
  expect((await shop.get('/promotions')).body.meta.total).toBe(1);
});

it('filters by trigger, standing, and a part of name or code', async () => {
  const shop = await world();
  const sale = { effect: { kind: 'percent', value: 5 }, priority: 1 };
  const soon = await promote(shop, { ...sale, name: 'Winter sale', starts_at: at(60 * MINUTE) });
  const over = await promote(shop, {
    ...sale,
    name: 'Spring',
    starts_at: at(-9 * MINUTE),
    ends_at: at(-MINUTE),
  });
  const off = await promote(shop, { ...sale, name: 'Autumn 100%', active: false });
  const code = await promoteByCode(shop, 'Été-10', { ...sale, max_uses: 3 });
  const ids = async (query: string) =>
    (await shop.get(`/promotions?${query}`)).body.data.map(({ id }: { id: number }) => id);
  expect(await ids('trigger=code')).toEqual([code.body.id]);
  expect(await ids('trigger=automatic')).toEqual([soon.body.id, over.body.id, off.body.id]);
  expect(await ids('standing=running')).toEqual([code.body.id]);
  expect(await ids('standing=scheduled')).toEqual([soon.body.id]);
  expect(await ids('standing=over')).toEqual([over.body.id]);
  expect(await ids('standing=off')).toEqual([off.body.id]);
  expect(await ids('q=ete')).toEqual([code.body.id]);
  expect(await ids('q=SALE')).toEqual([soon.body.id]);
  expect(await ids('q=%25')).toEqual([off.body.id]);
  const page = (await shop.get('/promotions?trigger=automatic&limit=1')).body.meta;
  expect(page).toMatchObject({ total: 3, total_pages: 3 });
  moveClock(61 * MINUTE);
  expect(await ids('standing=running')).toEqual([soon.body.id, code.body.id]);
  await storeOf(shop).prepare('UPDATE promotions SET uses = 3 WHERE id = ?').bind(code.body.id).run();
  expect(await ids('standing=over')).toEqual([over.body.id, code.body.id]);
});

it.each([
  ['trigger', 'none'],
  ['standing', 'active'],
  ['q', ''],
  ['q', 'x'.repeat(101)],
])('refuses the filter %s=%s by name', async (name, value) => {
  const refused = await (await untouched()).get(`/promotions?${name}=${value}`);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [name]]);
});

it('finds no automatic promotion by a text that is not in its name', async () => {
  const shop = await world();
  for (let n = 0; n < 3; n++) await promote(shop, { name: 'Summer' });
  const found: string[] = [];
  for (const q of 'abcdfghijklnopqtvwxyz0123456789!') {
    if ((await shop.get(`/promotions?q=${encodeURIComponent(q)}`)).body.meta.total > 0) found.push(q);
  }
  expect(found).toEqual([]);
  expect((await shop.get('/promotions?q=umm')).body.meta.total).toBe(3);
});

it('finds promotions by a part of their name without case and accents', async () => {
  const shop = await world();
  for (const name of ['Öffnungstage', 'ÉTÉ 2027', 'Скидка', 'Summer', 'Fête des Mères']) {
    await promote(shop, { name, active: false });
  }
  const found = async (q: string): Promise<string[]> =>
    (await shop.get(`/promotions?q=${encodeURIComponent(q)}`)).body.data.map(
      ({ name }: { name: string }) => name,
    );
  expect(await found('öffnungs')).toEqual(['Öffnungstage']);
  expect(await found('OFFNUNG')).toEqual(['Öffnungstage']);
  expect(await found('été 2')).toEqual(['ÉTÉ 2027']);
  expect(await found('СКИД')).toEqual(['Скидка']);
  expect(await found('sümm')).toEqual(['Summer']);
  expect(await found('meres')).toEqual(['Fête des Mères']);
  expect(await found('e d')).toEqual(['Fête des Mères']);
  // Nothing but an accent is no text.
  expect(await found('\u0301')).toEqual([]);
});
