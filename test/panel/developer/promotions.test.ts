import { describe, expect, it } from 'vitest';
import { asDeveloper, fieldsOf, fill } from '../../support/fixtures/browser.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { promote, promoteByCode } from '../../support/fixtures/selling/promotions.ts';
import { lazy } from '../../support/lazy.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

/** A shop and its developer, who sends what is refused. */
const untouched = lazy(async () => {
  const shop = await world();
  return { shop, developer: await asDeveloper(shop.slug) };
});

const NEW = '/developer/new-promotion';
const LIST = '/developer/promotions';

/** The text of a page, without tags. */
const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');

const onlyPromotion = async (shop: World) => (await shop.get('/promotions')).body.data[0];

/** What a form is filled in with, what the API then shows, and what the page says. */
const KINDS: Readonly<
  Record<string, readonly [fields: Record<string, string>, effect: object, says: string]>
> = {
  percentage: [
    { 'effect.kind': 'percent', 'effect.percent': '12,5' },
    { kind: 'percent', value: 12.5 },
    '12.5 % off all products',
  ],
  'amount for all currencies': [
    { 'effect.kind': 'fixed', 'effect.amount.EUR': '5', 'effect.amount.USD': '5' },
    { kind: 'fixed', value: 5 },
    '€5.00 off all products',
  ],
  'amount by currency': [
    { 'effect.kind': 'fixed', 'effect.amount.EUR': '5', 'effect.amount.USD': '6,50' },
    { kind: 'fixed', value: { EUR: 5, USD: 6.5 } },
    '€5.00 or $6.50 off all products',
  ],
  'free item': [
    { 'effect.kind': 'buy_x_get_y', 'effect.buy': '2', 'effect.get': '1', 'effect.percent_off': '100' },
    { kind: 'buy_x_get_y', buy: 2, get: 1, percent_off: 100 },
    'Buy 2, get 1 free, of all products',
  ],
  'free shipping': [{ 'effect.kind': 'free_shipping' }, { kind: 'free_shipping' }, 'Free shipping'],
};

it.each(Object.entries(KINDS))('creates a promotion with a %s and says what it does', async (_, kind) => {
  const [fields, effect, says] = kind;
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const developer = await asDeveloper(shop.slug);
  await fill(developer, NEW, NEW, { name: 'Sale', trigger: 'code', code: 'SALE-10', ...fields });
  expect(textOf(developer.last.html)).toContain(`${says}, with the code SALE-10.`);
  expect(await onlyPromotion(shop)).toMatchObject({ name: 'Sale', code: 'SALE-10', effect, active: true });
});

it('creates a promotion that is not active yet', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await fill(developer, NEW, NEW, { name: 'Soon', code: 'SOON', 'effect.percent': '10', active: [] });
  expect(await onlyPromotion(shop)).toMatchObject({ name: 'Soon', active: false });
});

it('says which fields of a choice may not be empty', async () => {
  const { html } = await (await asDeveloper((await world()).slug)).get('/developer/new-promotion');
  for (const name of ['code', 'effect.percent', 'effect.buy', 'effect.get'])
    expect(html).toMatch(new RegExp(`<input[^>]* name="${name}"[^>]* aria-required="true"`));
});

it('refuses an end before the start in words of the form', async () => {
  const developer = await asDeveloper((await world()).slug);
  const period = { starts_at: '2099-12-31T10:00', ends_at: '2099-12-01T10:00' };
  const promotion = { name: 'Sale', code: 'SALE', 'effect.percent': '10', ...period };
  const { status, html } = await fill(developer, NEW, NEW, promotion);
  expect([status, textOf(html)]).toEqual([
    422,
    expect.stringContaining('Ends (UTC): must be after the start'),
  ]);
});

it('creates an automatic promotion with every condition and limit', async () => {
  const shop = await world();
  const cup = (await createProduct(shop, { name: 'Enamel cup' })).body.id;
  const category = (await shop.post('/categories', { name: 'Kitchen' })).body.id;
  const developer = await asDeveloper(shop.slug);
  await fill(developer, NEW, NEW, {
    name: 'First',
    trigger: 'automatic',
    code: 'IGNORED',
    'effect.percent': '10',
    'conditions.minimum_subtotal.EUR': '30',
    'conditions.minimum_quantity': '2',
    'conditions.first_order': 'yes',
    'conditions.product_ids': String(cup),
    'conditions.category_ids': String(category),
    starts_at: '2026-01-01T00:00',
    ends_at: '2040-01-01T00:00',
    max_uses: '50',
    max_uses_per_customer: '1',
    combinable: 'yes',
    priority: '5',
  });
  expect(await onlyPromotion(shop)).toMatchObject({
    trigger: 'automatic',
    code: null,
    combinable: true,
    priority: 5,
    max_uses: 50,
    active: true,
    conditions: {
      minimum_subtotal: 30,
      minimum_quantity: 2,
      first_order: true,
      product_ids: [cup],
      category_ids: [category],
    },
  });
  const text = textOf(developer.last.html);
  expect(text).toContain(
    '10 % off 1 product and 1 category, for carts from €30.00, with at least 2 units of',
  );
  expect(text).toContain('on a first order, automatically. From 2026-01-01');
  expect(text).toContain('At most 50 orders in all and 1 order per customer.');
  expect(text).toContain('Enamel cup');
});

describe('a wrong field', () => {
  it.each([
    [{ 'effect.kind': 'percent', 'effect.percent': '' }, 'effect.percent', 'must be a percentage'],
    [{ 'effect.kind': 'percent', 'effect.percent': '101' }, 'effect.percent', 'up to 100'],
    [{ 'effect.kind': 'fixed', 'effect.amount.EUR': '1.001' }, 'effect.amount', 'at most 2 decimals'],
    [{ 'effect.kind': 'fixed', 'effect.amount.EUR': 'five' }, 'effect.amount.EUR', 'must be a number'],
    [{ 'effect.kind': 'buy_x_get_y', 'effect.buy': '0', 'effect.get': '1' }, 'effect.buy', '>=1'],
    [{ trigger: 'code', code: '' }, 'code', 'is required'],
    [{ code: 'a b' }, 'code', 'must contain only letters'],
    [{ starts_at: '2030-01-02T00:00', ends_at: '2030-01-01T00:00' }, 'ends_at', 'must be after'],
    [{ 'conditions.product_ids': '999999' }, 'conditions.product_ids', 'there is no product 999999'],
  ])('%j is named with what is wrong, and nothing typed is lost', async (fields, field, words) => {
    const { shop, developer } = await untouched();
    const typed = { name: 'Sale', code: 'SALE', 'effect.percent': '10', priority: '7', ...fields };
    const got = await fill(developer, NEW, NEW, typed);
    expect(got.status).toBe(422);
    const [, summary = ''] = /role="alert"(.*?)<\/div>/.exec(got.html) ?? [];
    expect(summary).toContain(`href="#f-${field}"`);
    expect(got.html).toContain(`id="f-${field}"`);
    if (words !== '>=1') expect(summary).toContain(words);
    expect(fieldsOf(got.html, NEW)).toMatchObject({ name: 'Sale', priority: '7' });
    expect((await shop.get('/promotions')).body.data).toEqual([]);
  });
});

it('says beside the code that another promotion has it', async () => {
  const shop = await world();
  await promoteByCode(shop, 'SUMMER');
  const developer = await asDeveloper(shop.slug);
  const got = await fill(developer, NEW, NEW, { name: 'B', code: 'summer', 'effect.percent': '5' });
  expect([got.status, got.html.includes('id="f-code-error"')]).toEqual([409, true]);
});

it('lists promotions with their standing, and filters them', async () => {
  const shop = await world();
  await promote(shop, { name: 'Always' });
  await promote(shop, { name: 'Someday', starts_at: '2040-01-01T00:00:00Z' });
  await promoteByCode(shop, 'PAST', { ends_at: '2020-01-01T00:00:00Z' });
  const developer = await asDeveloper(shop.slug);
  const all = (await developer.get(LIST)).html;
  for (const text of ['Always', 'scheduled', 'ended', '10 % off all products']) expect(all).toContain(text);
  const coded = (await developer.get(`${LIST}?trigger=code`)).html;
  expect([coded.includes('PAST'), coded.includes('Always')]).toEqual([true, false]);
  const soon = (await developer.get(`${LIST}?standing=scheduled`)).html;
  expect([soon.includes('Someday'), soon.includes('Always')]).toEqual([true, false]);
  expect((await developer.get(`${LIST}?q=nothing`)).html).toContain('No promotions found');
  expect((await developer.get(`${LIST}?standing=no`)).status).toBe(422);
});

it('shows the orders that redeemed a promotion', async () => {
  const shop = await world();
  const { id } = (await promoteByCode(shop, 'TEN')).body;
  const developer = await asDeveloper(shop.slug);
  const here = `${LIST}/${id}`;
  expect((await developer.get(here)).html).toContain('No order has redeemed it yet.');
  const { row } = await placedOrder(shop, (await createProduct(shop, { stock: 5 })).body.id);
  await redeem(shop, id, row.id);
  expect((await developer.get(here)).html).toContain(`href="/developer/orders/${row.id}"`);
  await storeOf(shop).prepare('UPDATE promotions SET uses = 1 WHERE id = ?').bind(id).run();
  expect((await developer.get(`${here}/delete`)).html).toContain('1 order has redeemed it;');
});

/** Records that an order redeemed a promotion. */
async function redeem(shop: World, promotionId: number, orderId: string): Promise<void> {
  await storeOf(shop)
    .prepare(
      "INSERT INTO promotion_redemptions (tenant_id, order_id, promotion_id, shoppers) VALUES (?, ?, ?, '[]')",
    )
    .bind(shop.tenantId, orderId, promotionId)
    .run();
}

it('finds products for a promotion without JavaScript, and keeps what was typed', async () => {
  const shop = await world();
  const cup = (await createProduct(shop, { name: 'Enamel cup' })).body.id;
  const developer = await asDeveloper(shop.slug);
  const fields = { name: 'Cups', code: 'CUPS', '_q.conditions.product_ids': 'enamel' };
  const found = await fill(developer, NEW, NEW, { ...fields, _find: 'conditions.product_ids' });
  expect(found.html).toContain('Enamel cup');
  await developer.submit(NEW, {
    ...fieldsOf(found.html, NEW),
    'effect.percent': '10',
    'conditions.product_ids': String(cup),
  });
  expect(await onlyPromotion(shop)).toMatchObject({ code: 'CUPS', conditions: { product_ids: [cup] } });
});

it.each(['2030-12-31T23:59:59.000Z', '2030-12-31T23:59:59.999Z', '2031-01-01T00:00:00.000Z'])(
  "keeps a promotion's end at %s when another field is edited",
  async (ends_at) => {
    const shop = await world();
    const { body } = await promoteByCode(shop, 'SUMMER', { starts_at: '2020-01-01T00:00:01Z', ends_at });
    const here = `${LIST}/${body.id}`;
    const developer = await asDeveloper(shop.slug);
    await fill(developer, here, here, { max_uses: '7' });
    expect(developer.last.html).toContain('Saved.');
    const after = (await shop.get(`/promotions/${body.id}`)).body;
    expect(after).toEqual({ ...body, max_uses: 7, updated_at: after.updated_at });
  },
);

it('duplicates a promotion: everything but its code', async () => {
  const shop = await world();
  const cup = (await createProduct(shop, { name: 'Enamel cup' })).body.id;
  const conditions = { product_ids: [cup], minimum_quantity: 2 };
  const effect = { kind: 'percent', value: 12.5 };
  const { body } = await promoteByCode(shop, 'SUMMER', { name: 'Summer', effect, conditions, max_uses: 7 });
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get(`${LIST}/${body.id}`)).html).toContain(`href="${LIST}/${body.id}/duplicate"`);
  const copy = `${LIST}/${body.id}/duplicate`;
  await fill(developer, copy, NEW, { code: 'AUTUMN' });
  const { data } = (await shop.get('/promotions')).body;
  const [first, second] = data.map(
    ({ id: _, created_at: __, updated_at: ___, ...rest }: Record<string, unknown>) => rest,
  );
  expect([first, second].map(({ code }) => code).sort()).toEqual(['AUTUMN', 'SUMMER']);
  const [made, source] = first.code === 'AUTUMN' ? [first, second] : [second, first];
  expect(made).toEqual({ ...source, name: 'Copy of Summer', code: 'AUTUMN', uses: 0 });
  expect((await developer.get(`${LIST}/999999/duplicate`)).status).toBe(404);
});

it('exports the promotions that the filters find as CSV', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const effect = { kind: 'fixed', value: { EUR: 5, USD: 6.5 } };
  await promoteByCode(shop, 'SUMMER', { name: '=Summer, sale', effect });
  await promote(shop, { name: 'Other' });
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(`${LIST}?trigger=code`);
  const path = /href="([^"]+)" download/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const file = await developer.send('GET', path);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="promotions.csv"');
  const [head, row, ...others] = file.html.trimEnd().split('\r\n');
  expect(head).toMatch(/^\ufeffid,name,trigger,code,kind,value,buy,get,/);
  expect(row).toMatch(/^\d+,"'=Summer, sale",code,SUMMER,fixed,EUR 5; USD 6.5,,,/);
  expect(others).toEqual([]);
});

it('says its period in UTC, as the fields below have it', async () => {
  const shop = await world();
  const period = { starts_at: '2099-05-01T00:00:00Z', ends_at: '2099-06-01T00:00:00Z' };
  const { id } = (await promote(shop, period)).body;
  const { html } = await (await asDeveloper(shop.slug)).get(`${LIST}/${id}`);
  // Not as instants, which the script shows in the reader's time, and as wide as they were in UTC.
  expect(textOf(html)).toContain('From 2099-05-01 00:00 UTC until 2099-06-01 00:00 UTC.');
  expect(html).not.toContain('<time datetime="2099-05-01');
});

it('says what a limit means that is left empty', async () => {
  const developer = await asDeveloper((await world()).slug);
  const { html } = await developer.get(NEW);
  const [, limits = ''] = html.split('<legend>Period and limits</legend>');
  expect(limits).toMatch(/^<p class="hint">[^<]* left empty sets no limit\./);
  for (const name of ['starts_at', 'ends_at', 'max_uses', 'max_uses_per_customer'])
    expect(limits.split('</fieldset>')[0]).toContain(`name="${name}"`);
  expect(html).toMatch(/id="f-conditions.minimum_quantity-hint">[^<]*Leave empty /);
});

it('names a promotion, not a coupon, where a code is taken', async () => {
  const shop = await world();
  await promoteByCode(shop, 'SUMMER');
  const developer = await asDeveloper(shop.slug);
  const fields = { name: 'Again', code: 'SUMMER', 'effect.kind': 'percent', 'effect.percent': '5' };
  const { status, html } = await fill(developer, NEW, NEW, fields);
  expect([status, html]).toEqual([409, expect.stringContaining('Another promotion has this code.')]);
});
