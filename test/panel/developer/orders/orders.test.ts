import { expect, it } from 'vitest';
import { session } from '../../../checkout/samples.ts';
import { asDeveloper, fieldsOf, SCRIPT_TAG } from '../../../support/fixtures/browser.ts';
import { stockedProduct } from '../../../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../../../support/fixtures/selling/checkout.ts';
import { world } from '../../../support/world.ts';
import { paidCups } from './paid-cups.ts';

it("shows an order with the customer's text escaped, and cancels it", async () => {
  const shop = await world();
  const customer = { name: SCRIPT_TAG, email: 'ada@example.com' };
  const placed = await shop.post('/orders', { session: await session(shop), customer });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/orders/${placed.body.id}`;
  expect((await developer.get('/developer/orders')).html).toContain(`href="${here}"`);
  expect(developer.last.html).not.toContain(SCRIPT_TAG);
  await developer.get(here);
  expect(developer.last.html).toContain('&lt;script&gt;alert(1)');
  expect(developer.last.html).not.toContain(SCRIPT_TAG);
  expect(developer.last.html).toContain(`href="${here}/cancel"`);
  await developer.get(`${here}/cancel`);
  expect(developer.last.html).toContain('Nothing was paid.');
  await developer.submit(`${here}/cancel`, {});
  expect(developer.last.html).toContain('The order is cancelled');
  expect((await shop.get(`/orders/${placed.body.id}`)).body.status).toBe('cancelled');
});

it('shows the chosen options in words', async () => {
  const shop = await sandboxShop();
  const tee = await stockedProduct(shop, {
    name: 'Tee',
    type: 'configurable',
    variants: [{ sku: 'tee-m', price: 10, stock: 5, attributes: { size: 'M', colour: SCRIPT_TAG } }],
  });
  const book = await stockedProduct(shop, {
    name: 'Book',
    type: 'downloadable',
    links: [{ id: 1, title: 'Maps', price: 0, url: 'https://files.example.com/maps.zip' }],
  });
  const slots = [
    { from: '2099-05-01T09:00:00Z', to: '2099-05-01T10:30:00Z', capacity: 4 },
    { from: '2099-05-01T23:00:00Z', to: '2099-05-02T01:00:00Z', capacity: 4 },
  ];
  const tour = await stockedProduct(shop, {
    name: 'Tour',
    type: 'booking',
    booking: { timezone: 'Europe/Berlin', slots },
  });
  const part = await stockedProduct(shop, { name: 'Body', stock: 9 });
  const kit = await stockedProduct(shop, {
    name: 'Kit',
    type: 'bundled',
    bundle_groups: [{ title: 'Camera', items: [{ product_id: part.body.id, quantity: 1 }] }],
  });
  const [{ id: group, items }] = kit.body.bundle_groups;
  const cart_token = await cartWith(shop, tee, 1, {
    options: { attributes: { size: 'M' }, engraving: 'For Ada', gift: true },
  });
  const more = [
    [book, { links: [1] }],
    [tour, { booking: slots[0] }],
    [tour, { booking: slots[1] }],
    [kit, { bundle_options: { [group]: [items[0].id] }, bundle_option_qty: { [group]: 2 } }],
    [part, { links: 'none', booking: null }],
  ] as const;
  for (const [seen, options] of more) await cartWith(shop, seen, 1, { cart_token, options });
  // Nothing is paid yet: the files have no links, but names.
  await submitCheckout(await checkoutPath(shop, cart_token), 'decline');
  const { data } = (await shop.get('/orders')).body;
  const { html } = await (await asDeveloper(shop.slug)).get(`/developer/orders/${data[0].id}`);
  for (const words of [
    'colour: &lt;script&gt;alert(1)&lt;/script&gt; · size: M · engraving: For Ada · gift: true',
    'file: Maps',
    'Fri, May 1, 2099, 11:00–12:30 (Europe/Berlin)',
    'Sat, May 2, 2099, 01:00–03:00 (Europe/Berlin)',
    'Camera: 2 × Body',
    'booking: null · links: none',
  ]) {
    expect(html).toContain(`<bdi>${words}</bdi></small>`);
  }
  const kitLine = data[0].items.find(({ name }: { name: string }) => name === 'Kit');
  expect(kitLine.selected).toEqual([{ name: 'Camera', value: '2 × Body' }]);
});

it("answers 404 for another tenant's order", async () => {
  const [mine, theirs] = await Promise.all([world(), world()]);
  const placed = await theirs.post('/orders', { session: await session(theirs) });
  const developer = await asDeveloper(mine.slug);
  expect((await developer.get(`/developer/orders/${placed.body.id}`)).status).toBe(404);
  await developer.get('/developer/theme');
  expect((await developer.post(`/developer/orders/${placed.body.id}/cancel`, {})).status).toBe(404);
  expect((await theirs.get(`/orders/${placed.body.id}`)).body.status).toBe('pending');
});

it('cancels an order only as its page says, and repeats that once', async () => {
  const { developer, here, path, shop } = await paidCups();
  const cancel = `${here}/cancel`;
  await developer.get(cancel);
  const asked = fieldsOf(developer.last.html, cancel);
  expect(asked.shown).toContain('€20.00 will be paid back');
  await shop.post(`${path}/refunds`, { amount: 5 });
  const stale = await developer.post(cancel, asked);
  expect([stale.status, stale.html]).toEqual([409, expect.stringContaining('Nothing is cancelled yet.')]);
  expect((await shop.get(path)).body.status).toBe('paid');
  const again = fieldsOf(stale.html, cancel);
  expect(again.shown).toContain('€15.00 will be paid back');
  for (const _ of [1, 2]) expect((await developer.post(cancel, again)).status).toBe(303);
  expect((await shop.get(path)).body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
});

it('lists a partly refunded order as one to fulfil, and no order that was refunded as a whole', async () => {
  const { developer, here, path, shop } = await paidCups();
  await shop.post(`${path}/refunds`, { amount: 1 });
  const { html } = await developer.get('/developer/orders');
  const view = /href="([^"]+)"[^>]*>To fulfil</.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await developer.get(view)).html).toContain(`href="${here}"`);
  await shop.post(`${path}/refunds`, {});
  expect((await shop.get(path)).body.payment_status).toBe('refunded');
  expect((await developer.get(view)).html).not.toContain(`href="${here}"`);
});

it('lists no order as partly sent that was paid back as a whole, or cancelled', async () => {
  const { developer, here, path, shop } = await paidCups();
  await shop.post(`${path}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }] });
  const { html } = await developer.get('/developer/orders');
  const view = /href="([^"]+)"[^>]*>Partly sent</.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await developer.get(view)).html).toContain(`href="${here}"`);
  await shop.post(`${path}/refunds`, { amount: 20 });
  expect((await developer.get(view)).html).not.toContain(`href="${here}"`);
  await shop.post(`${path}/cancel`);
  expect((await shop.get(path)).body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect((await developer.get(view)).html).not.toContain(`href="${here}"`);
});

it('leaves out of a parcel and of its slip what was refunded before', async () => {
  const { developer, here, path, shop } = await paidCups();
  await shop.post(`${path}/refunds`, { items: [{ line_id: 1, quantity: 1, restock: true }] });
  await developer.get(`${here}/fulfil`);
  expect(fieldsOf(developer.last.html, `${here}/fulfil`)).toMatchObject({ 'quantity.1': '1' });
  const slip = await developer.get(`${here}/packing-slip`);
  expect(slip.html).toMatch(/<td[^>]*>1<\/td><td[^>]*>Cup<\/td>/);
  await shop.post(`${path}/refunds`, {});
  expect((await developer.get(`${here}/fulfil`)).html).toContain('was refunded before');
});

it('shows note, billing address and timeline, and finds the order by what is known of it', async () => {
  const { developer, here } = await paidCups({
    note: SCRIPT_TAG,
    billing_first_name: 'Ada',
    billing_last_name: 'King',
    billing_line1: 'Ockham Park',
    billing_postal_code: '1010',
    billing_city: 'Wien',
    billing_country: 'AT',
  });
  const { html } = developer.last;
  expect(html).toContain('&lt;script&gt;alert(1)');
  expect(html).not.toContain(SCRIPT_TAG);
  expect(html).toContain(
    '<bdi>Ada King</bdi>, <bdi>Ockham Park</bdi>, <bdi>1010 Wien</bdi>, <bdi>Austria</bdi>',
  );
  expect(html).toMatch(/Timeline<\/h2>.*Paid.*provider sandbox.*Placed.*shopper/s);
  for (const q of ['1001', 'lovelace', 'ADA@example.com']) {
    const found = await developer.get(
      `/developer/orders?q=${encodeURIComponent(q)}&fulfilment_status=unfulfilled`,
    );
    expect(found.html).toContain(`href="${here}"`);
  }
  expect((await developer.get('/developer/orders?q=nobody')).html).toContain('No orders found');
  expect((await developer.get('/developer/orders?fulfilment_status=fulfilled')).html).not.toContain(here);
});

it('shows pictures, payments and a link to the customer', async () => {
  const shop = await sandboxShop();
  const image = 'https://cdn.example.com/cup.png';
  const cart = await cartWith(
    shop,
    await stockedProduct(shop, { name: 'Cup', stock: 9, images: [image] }),
    1,
  );
  await submitCheckout(await checkoutPath(shop, cart), 'pay');
  const [{ id }] = (await shop.get('/orders')).body.data;
  const { html } = await (await asDeveloper(shop.slug)).get(`/developer/orders/${id}`);
  expect(html).toContain(`src="${image}"`);
  expect(html).toMatch(/Payments<\/h3>.*€10.00 sandbox <span class="state good">paid/s);
});

it('tags an order, adds a note once, and shows both', async () => {
  const { shop, developer, here, path } = await paidCups();
  const tags = { ...fieldsOf(developer.last.html, `${here}/tags`), tags: 'VIP guest\ngift\n\ngift' };
  await developer.submit(`${here}/tags`, tags);
  expect((await shop.get(path)).body.tags).toEqual(['VIP guest', 'gift']);
  expect(developer.last.html).toContain('href="/developer/orders?tag=VIP+guest"');
  expect(fieldsOf(developer.last.html, `${here}/tags`)).toMatchObject({ tags: 'VIP guest\ngift' });
  const wrong = { ...fieldsOf(developer.last.html, `${here}/tags`), tags: `gift\n${'x'.repeat(65)}` };
  await developer.post(`${here}/tags`, wrong);
  expect(developer.last.html).toContain('id="f-tags-error">line 2: ');
  expect(fieldsOf(developer.last.html, `${here}/tags`).tags).toBe(wrong.tags);
  const note = { ...fieldsOf(developer.last.html, `${here}/notes`), text: SCRIPT_TAG };
  for (const _ of [1, 2]) await developer.submit(`${here}/notes`, note);
  expect(developer.last.html.match(/&lt;script&gt;alert\(1\)/g)).toHaveLength(1);
  expect(developer.last.html).toMatch(/Note<\/strong> by <bdi>Ada<\/bdi>/);
  // A browser counts a line break as one character of the 500, and sends two.
  const long = `${'x'.repeat(400)}\r\n${'y'.repeat(99)}`;
  await developer.submit(`${here}/notes`, { ...note, _once: 'long', text: long });
  const { data } = (await shop.get(`${path}/timeline`)).body;
  expect(data.at(-1)).toMatchObject({ by: { kind: 'panel', id: expect.stringMatching(/^\d+$/) } });
  expect(data.at(-1).details.text).toBe(long.replace('\r', ''));
  await developer.post(`${here}/notes`, { ...note, _once: 'another', text: '' });
  expect(developer.last.html).toContain('id="f-text-error"');
});

it('asks before it replaces tags that somebody else has changed meanwhile', async () => {
  const { shop, developer, here, path } = await paidCups();
  const shown = fieldsOf(developer.last.html, `${here}/tags`);
  await shop.patch(path, { tags: ['gift'] });
  const asked = await developer.submit(`${here}/tags`, { ...shown, tags: 'VIP' });
  expect(asked.status).toBe(409);
  expect(asked.html).toMatch(/Tags<\/td><td[^>]*>VIP<\/td><td[^>]*>gift</);
  expect((await shop.get(path)).body.tags).toEqual(['gift']);
  const mine = /name="_resolve" value="(mine [^"]+)"/.exec(asked.html)?.[1] ?? '';
  await developer.submit(`${here}/tags`, { ...fieldsOf(asked.html, `${here}/tags`), _resolve: mine });
  expect((await shop.get(path)).body.tags).toEqual(['VIP']);
});

it('keeps the parts of an address in their order where one is in Arabic', async () => {
  const { developer } = await paidCups({ line1: 'شارع الملك فهد 12', postal_code: '10117' });
  // Without isolation, 12 and 10117 change places.
  expect(developer.last.html).toContain('<bdi>شارع الملك فهد 12</bdi>, <bdi>10117 Berlin</bdi>, ');
});

it('breaks an e-mail address where it can be read, not in the middle of a word', async () => {
  const shop = await world();
  const customer = { email: 'ada@example.com' };
  const { id } = (await shop.post('/orders', { session: await session(shop), customer })).body;
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get(`/developer/orders/${id}`)).html).toContain('ada<wbr/>@example<wbr/>.com</a>');
});
