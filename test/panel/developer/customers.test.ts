import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf, fill, SCRIPT_TAG } from '../../support/fixtures/browser.ts';
import { createProduct, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { cartWith } from '../../support/fixtures/selling/checkout.ts';
import { customerWithCart, registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { cartSeeing, promote, promoteByCode } from '../../support/fixtures/selling/promotions.ts';
import { world } from '../../support/world.ts';

/** A customer with an address and an order, and a developer of their shop. */
async function adaAndShop() {
  const shop = await world();
  const ada = await registerCustomer(shop, { name: 'Ada Lovelace', phone: '+49 30 1234' });
  const home = { label: SCRIPT_TAG, country: 'DE', line1: 'Oranienstraße 25', city: 'Berlin' };
  await shop.post('/customers/me/addresses', home, withSession(ada.token));
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 9 })).body;
  const customer = { customerId: ada.id, name: 'Ada', email: ada.email, phone: null };
  const { row: order } = await placedOrder(shop, cup, { customer });
  const developer = await asDeveloper(shop.slug);
  return { shop, ada, order, developer, here: `/developer/customers/${ada.id}` };
}

it('finds customers and shows one with orders and addresses', async () => {
  const { shop, ada, order, developer, here } = await adaAndShop();
  await registerCustomer(shop, { name: 'Bob' });
  const { html } = await developer.get('/developer/customers');
  expect(html).toContain('2 in total');
  for (const q of ['lovel', ada.email]) {
    await developer.get(`/developer/customers?q=${encodeURIComponent(q)}`);
    expect(developer.last.html).toContain(`href="${here}"`);
    expect(developer.last.html).toContain('1 in total');
  }
  expect((await developer.get('/developer/customers?q=nobody')).html).toContain('No customers found.');
  const wrong = await developer.get('/developer/customers?sort=tallest');
  expect([wrong.status, wrong.html.includes('role="alert"')]).toEqual([422, true]);
  await developer.get(here);
  expect(developer.last.html).toContain(`href="/developer/orders/${order.id}"`);
  expect(developer.last.html).toContain('<bdi>Oranienstraße 25</bdi>, <bdi>Berlin</bdi>, <bdi>Germany</bdi>');
  expect(developer.last.html).not.toContain(SCRIPT_TAG);
  await developer.get(`/developer/orders/${order.id}`);
  expect(developer.last.html).toContain(`href="${here}"`);
});

it('changes name and phone, and keeps what was typed after an error', async () => {
  const { shop, ada, developer, here } = await adaAndShop();
  await developer.get(here);
  const form = fieldsOf(developer.last.html, here);
  expect(form).toMatchObject({ name: 'Ada Lovelace', phone: '+49 30 1234' });
  await developer.post(here, { ...form, phone: 'call me' });
  expect(developer.last.html).toContain('href="#f-phone"');
  expect(fieldsOf(developer.last.html, here)).toMatchObject({ phone: 'call me' });
  await developer.submit(here, { ...form, name: 'Ada King', phone: '' });
  const { body } = await shop.get(`/customers/${ada.id}`);
  expect([body.name, 'phone' in body]).toEqual(['Ada King', false]);
});

it.each(["o'neil&sons@example.com", 'a/b=c!d@example.com', 'a%25b?c@example.com'])(
  'shows a customer who registered as %s, and lists them',
  async (email) => {
    const shop = await world();
    const { id } = await registerCustomer(shop, { email });
    const developer = await asDeveloper(shop.slug);
    for (const path of ['/developer/customers', `/developer/customers/${id}`]) {
      const { status, html } = await developer.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(
        html
          .replace(/<wbr\/?>/g, '')
          .replace(/&amp;/g, '&')
          .replace(/&#39;/g, "'"),
      ).toContain(email);
    }
  },
);

it('links an e-mail address as one recipient, whatever is in it', async () => {
  const shop = await world();
  const email = 'ada?bcc=thief%40evil.example&subject=x@example.com';
  const { id } = await registerCustomer(shop, { email });
  const { html } = await (await asDeveloper(shop.slug)).get(`/developer/customers/${id}`);
  const [, href = ''] = /<a href="(mailto:[^"]*)"/.exec(html) ?? [];
  // RFC 6068: what is behind the first "?" are headers of the message.
  const { pathname, search } = new URL(href.replaceAll('&amp;', '&'));
  expect([decodeURIComponent(pathname), search]).toEqual([email, '']);
});

it("downloads a customer's data", async () => {
  const { ada, order, developer, here } = await adaAndShop();
  const file = await developer.send('GET', `${here}/export`);
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="customer-${ada.id}.json"`);
  expect(file.headers.get('cache-control')).toBe('no-store');
  expect(JSON.parse(file.html)).toMatchObject({ customer: { email: ada.email }, orders: [{ id: order.id }] });
});

it('erases a customer only once their e-mail is typed', async () => {
  const { shop, ada, developer, here } = await adaAndShop();
  await developer.get(`${here}/erase`);
  expect(developer.last.html).toContain(`<strong>${ada.email}</strong>`);
  expect(developer.last.html).toContain(`href="${here}">Keep the customer`);
  const form = fieldsOf(developer.last.html, `${here}/erase`);
  const wrong = await developer.post(`${here}/erase`, { ...form, email: 'bob@example.com' });
  expect([wrong.status, wrong.html.includes('id="f-email-error"')]).toEqual([422, true]);
  expect((await shop.get(`/customers/${ada.id}`)).status).toBe(200);
  await developer.submit(`${here}/erase`, { ...form, email: ` ${ada.email.toUpperCase()} ` });
  expect((await shop.get(`/customers/${ada.id}`)).status).toBe(404);
  expect((await developer.get(here)).status).toBe(404);
});

it("answers 404 for another tenant's customer", async () => {
  const { here, ada, shop } = await adaAndShop();
  const theirs = await asDeveloper((await world()).slug);
  for (const page of ['', '/export', '/erase']) {
    expect((await theirs.get(`${here}${page}`)).status, page).toBe(404);
  }
  await theirs.get('/developer/theme');
  expect((await theirs.post(`${here}/erase`, { email: ada.email })).status).toBe(404);
  expect((await theirs.post(here, { name: 'Mine' })).status).toBe(404);
  expect((await shop.get(`/customers/${ada.id}`)).body.name).toBe('Ada Lovelace');
});

it('creates a customer once, who can then set a password, and names an e-mail that is taken', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const path = '/developer/new-customer';
  await developer.get(path);
  const typed = { ...fieldsOf(developer.last.html, path), name: 'Grace', email: 'grace@example.com' };
  for (const _ of [1, 2]) await developer.submit(path, typed);
  expect(developer.last.html).toContain('Created.');
  const { data } = (await shop.get('/customers')).body;
  expect(data).toMatchObject([{ name: 'Grace', email: 'grace@example.com' }]);
  const reset = await shop.post('/customers/password-resets', { email: 'grace@example.com' });
  const password = 'a long enough one';
  await shop.post(`/customers/password-resets/${reset.body.token}`, { password });
  const login = await shop.post('/customers/login', { email: 'grace@example.com', password });
  expect(login.status, JSON.stringify(login.body)).toBe(200);
  const again = await fill(developer, path, path, { name: 'Other', email: 'Grace@example.com' });
  expect([again.status, again.html]).toEqual([409, expect.stringContaining('id="f-email-error"')]);
  expect(fieldsOf(again.html, path)).toMatchObject({ name: 'Other' });
  const bad = await fill(developer, path, path, { name: 'Other', email: 'no address' });
  expect([bad.status, bad.html]).toEqual([422, expect.stringContaining('id="f-email-error"')]);
});

it("adds, changes and deletes a customer's address", async () => {
  const { shop, ada, developer, here } = await adaAndShop();
  await developer.get(here);
  expect(developer.last.html).toContain(`href="${here}/new-address"`);
  await developer.get(`${here}/new-address`);
  const form = fieldsOf(developer.last.html, `${here}/new-address`);
  await developer.post(`${here}/new-address`, { ...form, city: 'Graz', country: 'Atlantis' });
  expect(developer.last.html).toContain('href="#f-country"');
  expect(fieldsOf(developer.last.html, `${here}/new-address`)).toMatchObject({ city: 'Graz' });
  await developer.submit(`${here}/new-address`, { ...form, label: 'Work', city: 'Graz', country: 'Austria' });
  const all = async () => (await shop.get(`/customers/${ada.id}/addresses`)).body.data;
  const [, work] = await all();
  expect(work).toMatchObject({ label: 'Work', city: 'Graz', country: 'AT', is_default: false });
  const path = `${here}/addresses/${work.id}`;
  await developer.get(path);
  const stored = fieldsOf(developer.last.html, path);
  expect(stored).toMatchObject({ label: 'Work', country: 'Austria' });
  await developer.submit(path, { ...stored, label: '', city: 'Wien', is_default: 'yes' });
  expect((await all())[1]).toMatchObject({ city: 'Wien', is_default: true });
  expect((await all())[1]).not.toHaveProperty('label');
  await developer.get(`${path}/delete`);
  expect(developer.last.html).toContain('Wien, Austria');
  await developer.submit(`${path}/delete`, fieldsOf(developer.last.html, `${path}/delete`));
  expect(await all()).toHaveLength(1);
  expect((await developer.get(path)).status).toBe(404);
});

it('shows the open carts of a customer, and what is in each', async () => {
  const shop = await world();
  const ada = await customerWithCart(shop, { name: SCRIPT_TAG, price: 7 }, 3);
  const developer = await asDeveloper(shop.slug);
  const here = `/developer/customers/${ada.id}`;
  await developer.get(here);
  const path = new RegExp(`${here}/carts/\\w+`).exec(developer.last.html)?.[0] ?? '';
  expect(developer.last.html).toContain('€21.00');
  expect(developer.last.html).not.toContain(ada.cart);
  await developer.get(path);
  expect(developer.last.html).toContain(`href="/developer/products/${ada.product.id}"`);
  expect(developer.last.html).toContain('€21.00');
  expect(developer.last.html).not.toContain(SCRIPT_TAG);
  expect(developer.last.html).not.toContain(ada.cart);
  const other = await customerWithCart(shop);
  expect((await developer.get(path.replace(here, `/developer/customers/${other.id}`))).status).toBe(404);
});

it('shows the booked time of a cart in the zone of its place', async () => {
  const shop = await world();
  const slot = { from: '2099-05-01T09:00:00Z', to: '2099-05-01T10:30:00Z' };
  const tour = await stockedProduct(shop, {
    type: 'booking',
    booking: { timezone: 'Europe/Berlin', slots: [{ ...slot, capacity: 4 }] },
  });
  const ada = await customerWithCart(shop);
  await cartWith(shop, tour, 1, { cart_token: ada.cart, options: { booking: slot } });
  const developer = await asDeveloper(shop.slug);
  await developer.get(`/developer/customers/${ada.id}`);
  await developer.get(/\/developer\/customers\/\d+\/carts\/\w+/.exec(developer.last.html)?.[0] ?? '');
  expect(developer.last.html).toContain('Fri, May 1, 2099, 11:00–12:30 (Europe/Berlin)');
  expect(developer.last.html).not.toContain('09:00:00');
});

it('names what reduces a cart and an order, and no code that does not', async () => {
  const shop = await world();
  await promoteByCode(shop, 'TEN');
  const harvest = await promote(shop, { name: 'Harvest', effect: { kind: 'percent', value: 20 } });
  const ada = await customerWithCart(shop, { price: 10 });
  expect((await shop.post(`/cart/${ada.cart}/coupon`, { code: 'TEN' })).status).toBe(200);
  await cartSeeing(shop, ada.cart, harvest);
  const developer = await asDeveloper(shop.slug);
  await developer.get(`/developer/customers/${ada.id}`);
  await developer.get(/\/developer\/customers\/\d+\/carts\/\w+/.exec(developer.last.html)?.[0] ?? '');
  expect(developer.last.html).toContain('<dt>Discount (Harvest)</dt><dd>-€2.00</dd>');
  const promotions = [
    { id: harvest.body.id, name: 'Harvest', code: null, amount: 200 },
    { id: 1, name: 'Post on us', code: 'SHIP', amount: 0 },
  ];
  const totals = {
    subtotal: 1000,
    discount: 200,
    shipping: 0,
    tax: 0,
    shippingTaxRate: 0,
    grandTotal: 800,
    taxIncluded: false,
  };
  const { row } = await placedOrder(shop, ada.product.id, { promotions, totals });
  await developer.get(`/developer/orders/${row.id}`);
  expect(developer.last.html).toContain('<dt>Discount (Harvest)</dt><dd>-€2.00</dd>');
});

it('exports the customers that the search finds as CSV, for who may change them', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop, { name: 'Ada, Countess', phone: '+49 30 1' });
  await registerCustomer(shop, { name: 'Bob' });
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get('/developer/customers?q=countess');
  const path = /href="([^"]+)" download/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const file = await developer.send('GET', path);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="customers.csv"');
  const [head, row, ...others] = file.html.trimEnd().split('\r\n');
  expect(head).toBe('\ufeffid,name,email,phone,created_at,updated_at');
  expect(row).toMatch(new RegExp(`^${ada.id},"Ada, Countess",${ada.email},'\\+49 30 1,2`));
  expect(others).toEqual([]);
});
