/** Input that a browser seldom sends, and texts that its fields show otherwise than they are stored. */
import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf, fill } from '../../../support/fixtures/browser.ts';
import { NEWEST } from '../../../support/fixtures/catalog/products.ts';
import { world } from '../../../support/world.ts';
import { editor } from './editor.ts';

it.each([
  ['sale.starts_at', '2030-13-01T00:00'],
  ['sale.ends_at', '2030-02-30T10:00'],
  ['sale.ends_at', '2030-01-01T24:30'],
])('refuses a time of a sale that no calendar has: %s %s', async (field, value) => {
  const { save, developer } = await editor({ name: 'Cup', price: 10 });
  const { status } = await save('', { 'sale.price': '8', [field]: value });
  expect(status).toBe(422);
  expect(developer.last.html).toContain(`id="f-${field}-error">must be a date and time`);
});

it.each([
  ['slots.0.from', '2030-13-01T00:00', 'slots.0.from'],
  ['slots.0.to', '2030-02-30T10:00', 'slots.0.to'],
  ['series.time', '99:99', 'series.time'],
  ['series.minutes', '999999999999999', 'series.minutes'],
  ['series.minutes', '0', 'series.minutes'],
  ['series.first', '2030-02-30', 'series.first'],
])('refuses a slot that no calendar has: %s %s', async (field, value, at) => {
  const slots = [{ from: '2030-07-01T08:00:00Z', to: '2030-07-01T09:00:00Z', capacity: 4 }];
  const { save, developer } = await editor({
    type: 'booking',
    booking: { timezone: 'Europe/Berlin', slots },
  });
  const series = { 'series.first': '2030-08-01', 'series.time': '10:00', 'series.minutes': '60' };
  const { status } = await save('/slots', { ...series, 'series.capacity': '3', [field]: value });
  expect(status).toBe(422);
  expect(developer.last.html).toContain(`id="f-${at}-error">must be `);
});

it('takes a slot of a year that was typed with two digits, and shows it', async () => {
  const slots = [{ from: '2030-07-01T08:00:00Z', to: '2030-07-01T09:00:00Z', capacity: 4 }];
  const booking = { timezone: 'Europe/Berlin', slots };
  const { save, developer, here } = await editor({ type: 'booking', booking });
  expect((await save('/slots', { 'slots.0.from': '0026-07-01T10:00' })).status).toBe(200);
  const page = `${here}/slots`;
  const { html } = await developer.get(page);
  expect(fieldsOf(html, page)).toMatchObject({
    'slots.0.from': '0026-07-01T10:00',
    'slots.0.to': '2030-07-01T11:00',
  });
});

it('refuses a series that ends after the year 9999', async () => {
  const slots = [{ from: '2030-07-01T08:00:00Z', to: '2030-07-01T09:00:00Z', capacity: 4 }];
  const { save, developer } = await editor({ type: 'booking', booking: { timezone: 'UTC', slots } });
  const series = { 'series.first': '9999-12-31', 'series.time': '23:30', 'series.minutes': '60' };
  expect((await save('/slots', { ...series, 'series.capacity': '3' })).status).toBe(422);
  expect(developer.last.html).toContain('must be in the years 0000 to 9999');
});

it('leaves out of a series the slot that the clock skips, and ends the others by the clock', async () => {
  const booking = { timezone: 'Europe/Berlin', slots: [] };
  const { shop, save, here } = await editor({ type: 'booking', booking });
  const series = { 'series.first': '2031-03-29', 'series.last': '2031-03-31', 'series.capacity': '3' };
  // In the night before March 30 the clock goes from 02:00 to 03:00.
  await save('/slots', { ...series, 'series.time': '02:00', 'series.minutes': '60' });
  await save('/slots', { ...series, 'series.time': '20:00', 'series.minutes': '720' });
  const { slots } = (await shop.get(here.replace('/developer', ''), NEWEST)).body.booking;
  expect(
    slots.map(({ from, to }: { from: string; to: string }) => [from.slice(5, 16), to.slice(5, 16)]),
  ).toEqual([
    ['03-29T01:00', '03-29T02:00'],
    ['03-29T19:00', '03-30T06:00'],
    ['03-30T18:00', '03-31T06:00'],
    ['03-31T00:00', '03-31T01:00'],
    ['03-31T18:00', '04-01T06:00'],
  ]);
});

it('keeps the beginning of a slot whose end is changed, in the hour that the clock shows twice', async () => {
  const slots = [{ from: '2031-10-26T01:30:00Z', to: '2031-10-26T03:00:00Z', capacity: 4 }];
  const booking = { timezone: 'Europe/Berlin', slots };
  const { shop, save, here } = await editor({ type: 'booking', booking });
  await save('/slots', { 'slots.0.to': '2031-10-26T05:00' });
  const after = (await shop.get(here.replace('/developer', ''), NEWEST)).body.booking.slots;
  expect(after).toMatchObject([{ from: '2031-10-26T01:30:00.000Z', to: '2031-10-26T04:00:00.000Z' }]);
});

it.each([
  ['02:00', '60'],
  ['02:15', '30'],
  ['02:30', '30'],
])('refuses a series of which the clock skips every slot: at %s for %s minutes', async (time, minutes) => {
  const { save, developer } = await editor({
    type: 'booking',
    booking: { timezone: 'Europe/Berlin', slots: [] },
  });
  const series = { 'series.first': '2031-03-30', 'series.time': time, 'series.minutes': minutes };
  expect((await save('/slots', { ...series, 'series.capacity': '3' })).status).toBe(422);
  expect(developer.last.html).toContain('id="f-series.time-error">does not exist');
});

it.each([
  [{ 'series.time': '10:00', 'series.minutes': '60', 'series.capacity': '3' }, 'first', 'is required'],
  [{ 'series.days': 'Monday' }, 'first', 'is required'],
  [
    {
      'series.first': '2030-08-01',
      'series.last': '2030-08-02',
      'series.time': '10:00',
      'series.minutes': '60',
      'series.capacity': '3',
      'series.days': ['Monday', 'Sunday'],
    },
    'days',
    'none of these days',
  ],
])('refuses a series that adds no slot: %j', async (series, field, words) => {
  const slots = [{ from: '2030-07-01T08:00:00Z', to: '2030-07-01T09:00:00Z', capacity: 4 }];
  const booking = { timezone: 'Europe/Berlin', slots };
  const { save, developer } = await editor({ type: 'booking', booking });
  const { status } = await save('/slots', series);
  expect(status).toBe(422);
  expect(developer.last.html).toContain(`id="f-series.${field}-error">${words}`);
  // The fields of the series are visible.
  expect(developer.last.html).toContain('<details open="">');
});

it('leaves metadata as they are that a field shows otherwise', async () => {
  const metadata = { note: 'one\ntwo', padded: ' x ', plain: 'a' };
  const { shop, developer, here, id } = await editor({ name: 'Cup', price: 10, metadata });
  const page = `${here}/organisation`;
  const { html } = await developer.get(page);
  // A field of one line sends its value without line breaks.
  const shown = Object.entries(fieldsOf(html, page)).map(
    ([name, value]) => [name, String(value).replaceAll(/[\r\n]/g, '')] as const,
  );
  const sent = { ...Object.fromEntries(shown), tags: 'new' };
  const stored = async () => (await shop.get(`/products/${id}?status=all`, NEWEST)).body;
  await developer.submit(page, sent);
  expect(await stored()).toMatchObject({ tags: ['new'], metadata });
  await fill(developer, page, page, { ...sent, 'metadata.2.value': 'b' });
  expect((await stored()).metadata).toEqual({ ...metadata, plain: 'b' });
});

it('keeps every option that was typed when a change is refused after its question', async () => {
  const variants = ['S', 'M'].map((size) => ({ sku: size, price: 20, attributes: { size } }));
  const { save, developer, here } = await editor({ type: 'configurable', variants });
  const page = `${here}/options`;
  const colours = { 'options.1.name': 'colour', 'options.1.values': 'x'.repeat(300), 'options.1.was': '' };
  const asked = await save('/options', { 'options.0.values': 'S', ...colours });
  expect(asked.html).toContain('Remove 1 variant of');
  const refused = await developer.submit(page, fieldsOf(asked.html, page));
  expect(refused.status).toBe(422);
  expect(fieldsOf(refused.html, page)).toMatchObject({ 'options.0.values': 'S', ...colours });
});

it.each(['/variants', '/options', '/files', '/members', '/choices', '/choices/new', '/slots'])(
  'leads from %s of a product whose type has none to the product',
  async (tab) => {
    const { developer, here } = await editor({ name: 'Cup', price: 10 });
    const { status, headers } = await developer.get(here + tab);
    expect([status, headers.get('location')]).toEqual([303, here]);
  },
);

it('reads the full-width digits and marks of East Asian keyboards', async () => {
  const { save, shop, id } = await editor({ name: 'Piano', price: 12_000, stock: 1 });
  const typed = { price: '１２．５０', 'prices.USD': '９，５', stock: '２４', weight: '　７００' };
  expect((await save('', typed)).status).toBe(200);
  const { body } = await shop.get(`/products/${id}`, NEWEST);
  expect(body).toMatchObject({ price: 12.5, prices: { USD: 9.5 }, stock: 24, weight: 700 });
});

it('takes no raised digit for a further one', async () => {
  const { save } = await editor({ name: 'Piano', price: 12_000, stock: 1 });
  expect((await save('', { stock: '10²' })).status).toBe(422);
});

it.each([
  ['price', '１，０００'],
  ['prices.USD', '１．０００'],
  ['price', '1,000'],
  ['price', '1.000'],
  ['regular_price', '12.500'],
  ['prices.USD', '1,500'],
  ['prices.USD', '1.500'],
  ['sale.price', '8,500'],
])('refuses a thousand that would be taken for one: %s %s', async (field, value) => {
  const { save, developer, here, shop } = await editor({ name: 'Piano', price: 12_000 });
  expect((await save('', { [field]: value })).status).toBe(422);
  expect(developer.last.html).toContain(`id="f-${field}-error">must be without a separator of thousands`);
  expect(fieldsOf(developer.last.html, here)[field]).toBe(value);
  const { body } = await shop.get('/products', NEWEST);
  expect(body.data[0]).toMatchObject({ price: 12_000, on_sale: false });
});

it.each([
  ['EUR', '1.50', true],
  ['EUR', '１．５０', true],
  ['EUR', '1.000', false],
  ['JPY', '1000', true],
  ['JPY', '1.000', false],
  ['KWD', '1.000', true],
])('lets a browser send no more decimals than %s has: %s', async (currency, text, isValid) => {
  const shop = await world({ currency });
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get('/developer/products/new?type=simple');
  const [, pattern = ''] = /name="price"[^>]* pattern="([^"]*)"/.exec(html) ?? [];
  expect(new RegExp(`^(?:${pattern})$`, 'v').test(text)).toBe(isValid);
});

it('refuses a thousand that would be taken for one of variants and of files', async () => {
  const variants = [{ sku: 'P-1', price: 900, attributes: { size: 'L' } }];
  const grid = await editor({ name: 'Piano', type: 'configurable', price: 900, variants });
  const field = `price-${grid.product.variants[0].id}`;
  expect((await grid.save('/variants', { [field]: '1.000' })).status).toBe(422);
  expect(grid.developer.last.html).toContain('must be without a separator of thousands');
  expect((await grid.shop.get(`/products/${grid.id}`, NEWEST)).body.price).toBe(900);
  const links = [{ title: 'Score', price: 5, url: 'https://cdn.example.com/a.pdf' }];
  const files = await editor({ name: 'Score', type: 'downloadable', price: 900, links });
  expect((await files.save('/files', { 'links.0.price': '1.000' })).status).toBe(422);
  expect(files.developer.last.html).toContain('must be without a separator of thousands');
});

it('says that a variant must be left before it asks whether to remove all of them', async () => {
  const variants = ['S', 'M'].map((size) => ({ sku: `TEE-${size}`, price: 5, attributes: { size } }));
  const { shop, save, id, product } = await editor({ name: 'Tee', type: 'configurable', variants });
  const ticked = product.variants.map(({ id }: { id: number }) => [`drop-${id}`, '1']);
  const got = await save('/variants', Object.fromEntries(ticked));
  expect(got.status).toBe(422);
  expect(got.html).toContain('At least one variant must be left.');
  expect(got.html.match(/name="drop-\d+"[^>]* checked/g)).toHaveLength(2);
  expect((await shop.get(`/products/${id}`)).body.variants).toHaveLength(2);
});
