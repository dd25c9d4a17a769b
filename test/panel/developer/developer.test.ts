import { expect, it } from 'vitest';
import { asDeveloper, fieldsOf, fill } from '../../support/fixtures/browser.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { admin, type World, world } from '../../support/world.ts';

const product = (shop: World, more: object = {}) =>
  shop.post('/products', { name: 'Mug', type: 'simple', price: 12.5, sku: 'MUG', stock: 5, ...more });

const SETTINGS = '/developer/settings';

it('finds a product, edits price and status, and keeps the stock', async () => {
  const shop = await world();
  const { body } = await product(shop);
  const developer = await asDeveloper(shop.slug);
  const found = await developer.get('/developer/products?q=mu');
  expect(found.html).toContain(`/developer/products/${body.id}"`);
  const here = `/developer/products/${body.id}`;
  const { html } = await developer.get(here);
  // Sold meanwhile: the form that was open must not undo it.
  await shop.post('/inventory/adjustments', { items: [{ sku: 'MUG', delta: -2 }] });
  await developer.submit(here, { ...fieldsOf(html, here), price: '14,90', status: 'inactive' });
  expect(developer.last.html).toContain('Saved.');
  const after = await shop.get(`/products/${body.id}?status=all`, NEWEST);
  expect(after.body).toMatchObject({ price: 14.9, status: 'inactive', stock: 3 });
  await fill(developer, here, here, { stock: '40' });
  expect(fieldsOf(developer.last.html, here)).toMatchObject({ stock: '40' });
  const wrong = await fill(developer, here, here, { price: '1.234' });
  expect([wrong.status, wrong.html.includes('href="#f-price"')]).toEqual([422, true]);
});

it('shows all decimals of a currency', async () => {
  const shop = await world({ currency: 'HUF' });
  await product(shop, { price: 1999.95 });
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get('/developer/products')).html).toContain('HUF\u00a01,999.95');
});

it("edits one variant's price and keeps other prices and variants", async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const variant = (size: string) => ({
    sku: `TEE-${size}`,
    price: 20,
    prices: { USD: 22 },
    stock: 3,
    attributes: { size },
  });
  const made = await product(shop, {
    type: 'configurable',
    sku: 'TEE',
    stock: undefined,
    variants: [variant('S'), variant('M')],
  });
  const here = `/developer/products/${made.body.id}`;
  const developer = await asDeveloper(shop.slug);
  const [first] = made.body.variants;
  await fill(developer, here, `${here}/variants`, { [`price-${first.id}`]: '25' });
  expect(developer.last.html).toContain('Saved.');
  const at = (currency: string) => shop.get(`/products/${made.body.id}?currency=${currency}`, NEWEST);
  const prices = async (currency: string) =>
    (await at(currency)).body.variants.map(({ price }: { price: number }) => price);
  expect(await prices('EUR')).toEqual([25, 20]);
  expect(await prices('USD')).toEqual([22, 22]);
});

it("answers 404 for another tenant's product and webhook", async () => {
  const [mine, theirs] = await Promise.all([world(), world()]);
  const { body } = await product(theirs);
  const hook = await theirs.post('/webhooks', { url: 'https://a.example.com/x', events: ['stock.changed'] });
  const developer = await asDeveloper(mine.slug);
  for (const path of [`/developer/products/${body.id}`, `/developer/webhooks/${hook.body.id}`]) {
    expect((await developer.get(path)).status).toBe(404);
  }
  await developer.get('/developer/theme');
  const sent = await developer.post(`/developer/products/${body.id}`, { price: '1' });
  expect(sent.status).toBe(404);
  expect((await developer.post(`/developer/webhooks/${hook.body.id}/delete`, {})).status).toBe(404);
  expect((await theirs.get(`/products/${body.id}`)).body.price).toBe(12.5);
});

it('registers a webhook, shows its secret once, pings it and replays a delivery', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await developer.get('/developer/new-webhook');
  const made = await developer.submit('/developer/new-webhook', {
    url: 'https://shop.example.com/hooks',
    events: ['order.paid', 'stock.changed'],
    status: 'paused',
  });
  expect(made.html).toMatch(/value="whsec_/);
  const here = /href="(\/developer\/webhooks\/\d+)"/.exec(made.html)?.[1] ?? '';
  const pinged = await developer.submit(`${here}/ping`, {});
  expect(pinged.html).not.toMatch(/value="whsec_/);
  expect(pinged.html).toContain('ping');
  expect(pinged.html).toContain('The webhook is paused. The test event is held');
  const delivery = /deliveries\/(\d+)\/replay/.exec(pinged.html)?.[1];
  const again = await developer.submit(`${here}/deliveries/${delivery}/replay`, {});
  expect(again.html).toContain('The webhook is paused. The replay is sent once it is active.');
  const edit = `${here}/edit`;
  const refused = await fill(developer, edit, edit, { url: 'https://127.0.0.1/x', events: ['order.paid'] });
  expect([refused.status, refused.html.includes('href="#f-url"')]).toEqual([422, true]);
  await developer.get(here);
  await developer.submit(`${here}/delete`, {});
  expect(developer.last.html).toContain('No webhooks yet.');
});

it('changes theme options like the API does', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const developer = await asDeveloper(shop.slug);
  await fill(developer, '/developer/theme', '/developer/theme', {
    'colors.primary': '#aa0033',
    homepage_sections: 'hero\nsale\n',
  });
  expect(developer.last.html).toContain('Saved.');
  const theme = await shop.get('/theme/options', NEWEST);
  expect(theme.body).toMatchObject({ colors: { primary: '#AA0033' }, homepage_sections: ['hero', 'sale'] });
});

it('imports a CSV and shows its progress', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await developer.get('/developer/imports');
  const form = new FormData();
  form.set('_token', developer.token() ?? '');
  form.set('file', new File(['Handle,Title,Variant Price\nmug,Mug,12\n'], 'p.csv', { type: 'text/csv' }));
  const sent = await developer.send('POST', '/developer/imports', form, {
    origin: 'https://api.example.com',
  });
  expect(sent.status).toBe(303);
  const page = await developer.get(sent.headers.get('location') ?? '');
  expect(page.html).toMatch(/<progress/);
  expect(page.html).toContain('of 1 line');
});

it("keeps an application's expiration when another field is edited", async () => {
  const shop = await world();
  const expires_at = '2030-12-31T23:59:59.500Z';
  const { id } = await shop.register({ expires_at });
  const here = `/developer/applications/${id}`;
  const developer = await asDeveloper(shop.slug);
  await fill(developer, here, here, { name: 'Renamed' });
  const { body } = await admin('GET', `/tenants/${shop.slug}/applications/${id}`);
  expect(body).toMatchObject({ name: 'Renamed', expires_at });
});

it('resets a font, a logo and an icon that are cleared', async () => {
  const shop = await world();
  const fresh = (await shop.get('/theme/options')).body;
  const url = 'https://cdn.example.com/a.png';
  await shop.patch('/theme/options', { font_family: 'Georgia, serif', logo_url: url, favicon_url: url });
  const developer = await asDeveloper(shop.slug);
  await fill(developer, '/developer/theme', '/developer/theme', {
    font_family: '',
    logo_url: '',
    favicon_url: '',
  });
  expect(developer.last.html).toContain('Saved.');
  expect(fieldsOf(developer.last.html, '/developer/theme').font_family).toBe('');
  const after = await shop.get('/theme/options', NEWEST);
  expect(after.body).toEqual(fresh);
});

const EVIL = `<script>alert(1)</script><img src=x onerror=alert(2)>"'`;

it('shows injected HTML as text', async () => {
  const shop = await world();
  const { body } = await product(shop, { name: EVIL, description: EVIL, vendor: EVIL });
  await shop.patch('/theme/options', { homepage_sections: [EVIL] });
  await shop.register({ name: EVIL } as object);
  const developer = await asDeveloper(shop.slug);
  await developer.get('/developer/new-webhook');
  const hook = {
    url: 'https://a.example.com/"><script>alert(3)</script>',
    events: 'order.paid',
    status: 'active',
  };
  await developer.submit('/developer/new-webhook', hook);
  const pages = ['products', `products/${body.id}`, 'webhooks', 'theme', 'applications'];
  for (const page of pages) {
    const { html, status } = await developer.get(`/developer/${page}`);
    expect(status).toBe(200);
    expect(html, page).not.toMatch(/<script(?! src="\/panel-assets)|<img src=x/);
  }
  const q = await developer.get(`/developer/products?q=${encodeURIComponent(EVIL)}`);
  expect(q.html).not.toContain('<script>');
});

it('creates a product feed, shows its address and what it leaves out, and deletes it', async () => {
  const shop = await world();
  await product(shop, { name: 'Mug <b>', images: [], description: 'A mug.' });
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get('/developer/feeds')).html).toContain('Feeds are empty until you set');
  const wrong = await fill(developer, SETTINGS, SETTINGS, { 'feeds.product_url': 'ftp://x/{slug}' });
  expect([wrong.status, wrong.html.includes('href="#f-feeds.product_url"')]).toEqual([422, true]);
  const product_url = 'https://shop.example.com/p/{slug}';
  await fill(developer, SETTINGS, SETTINGS, { 'feeds.product_url': product_url, low_stock_threshold: '12' });
  expect((await shop.get('/settings')).body.low_stock_threshold).toBe(12);
  expect((await shop.get('/settings')).body.feeds).toEqual({ product_url });
  expect((await developer.get('/developer/feeds')).html).toContain(product_url);
  const made = await developer.submit('/developer/feeds', { format: 'csv' });
  const [{ id, url }] = (await shop.get('/feeds')).body.data;
  expect(made.html).toContain(`value="${url}"`);
  expect(made.html).toContain('image_link: There is no image.');
  expect(made.html).toContain('Mug &lt;b&gt;');
  expect((await developer.get('/developer/feeds')).html).toContain(`/developer/feeds/${id}"`);
  expect((await developer.get(`/developer/feeds/${id}/new-address`)).html).toContain('stops working at once');
  await developer.submit(`/developer/feeds/${id}/new-address`, {});
  const [renewed, ...others] = (await shop.get('/feeds')).body.data;
  expect([renewed.format, renewed.url === url, others]).toEqual(['csv', false, []]);
  expect((await developer.get(`/developer/feeds/${id}`)).status).toBe(404);
  await developer.get(`/developer/feeds/${renewed.id}/delete`);
  await developer.submit(`/developer/feeds/${renewed.id}/delete`, {});
  expect((await shop.get('/feeds')).body.data).toEqual([]);
});

it('gives a product feed a new address when the tenant has as many feeds as its plan allows', async () => {
  const shop = await world({ plan: 'starter' });
  const developer = await asDeveloper(shop.slug);
  for (const format of ['xml', 'csv']) expect((await shop.post('/feeds', { format })).status).toBe(201);
  const [xml, csv] = (await shop.get('/feeds')).body.data;
  await developer.get(`/developer/feeds/${xml.id}/new-address`);
  const { html } = await developer.submit(`/developer/feeds/${xml.id}/new-address`, {});
  const [kept, renewed] = (await shop.get('/feeds')).body.data;
  expect([kept, renewed.format, renewed.url === xml.url]).toEqual([csv, 'xml', false]);
  expect(html).toContain(`value="${renewed.url}"`);
  // A second press, or a browser that sends the form again.
  const again = await developer.post(`/developer/feeds/${xml.id}/new-address`, {});
  expect([again.status, again.headers.get('location')]).toEqual([
    303,
    expect.stringContaining(`/developer/feeds/${renewed.id}?`),
  ]);
  expect((await shop.get('/feeds')).body.data).toEqual([kept, renewed]);
  expect((await shop.get('/audit?action=renewProductFeed')).body.data).toHaveLength(1);
});

it('keeps a product feed whose new address could not be made', async () => {
  const shop = await world();
  const { body: feed } = await shop.post('/feeds', { format: 'csv' });
  const developer = await asDeveloper(shop.slug);
  const path = `/developer/feeds/${feed.id}/new-address`;
  await developer.get(path);
  const store = storeOf(shop);
  await store
    .prepare(
      `CREATE TRIGGER no_feeds BEFORE INSERT ON feeds WHEN NEW.tenant_id = ${shop.tenantId}
       BEGIN SELECT RAISE(ABORT, 'no feeds'); END`,
    )
    .run();
  expect((await developer.post(path, {})).status).toBe(500);
  await store.prepare('DROP TRIGGER no_feeds').run();
  expect((await shop.get('/feeds')).body.data).toEqual([feed]);
  await developer.get(path);
  expect((await developer.post(path, {})).status).toBe(303);
  const [{ subject }, ...others] = (await shop.get('/audit?action=renewProductFeed')).body.data;
  expect([subject, others]).toEqual([{ kind: 'feeds', id: feed.id, name: null }, []]);
});
