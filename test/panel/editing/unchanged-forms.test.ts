import { expect, it } from 'vitest';
import { asDeveloper, fill } from '../../support/fixtures/browser.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { emitEvent, Receiver, respondWith, subscribe, until } from '../../support/fixtures/webhooks.ts';
import { admin, type World, world } from '../../support/world.ts';

const URL = 'https://cdn.example.com/a.png';
const COMMON = {
  images: [URL],
  barcode: '4012345678901',
  tags: ['new'],
  vendor: 'Acme',
  tax_class: 'books',
  weight: 350,
};

/** Changes every setting. */
async function fullSettings(shop: World): Promise<void> {
  const tax = {
    mode: 'inclusive',
    rate_percent: 19.5,
    shipping_taxed: true,
    rates_by_country: { AT: 20 },
    rates_by_class: { books: { rate_percent: 7, rates_by_country: { CH: 2.6 } } },
  };
  const by_country = {
    CH: { flat: { EUR: 9.9, USD: 12 }, free_over: 100 },
    NO: { flat: 15, free_over: null },
  };
  const methods = [
    { id: 'parcel', name: 'Parcel', price: { EUR: 4.9, USD: 6 }, free_over: 60, countries: ['DE', 'AT'] },
    { id: 'freight', name: 'Freight', tiers: [{ from_weight: 0, price: 20 }], min_days: 2, active: false },
    {
      id: 'value',
      name: 'By value',
      description: 'To the "door"',
      free_over: { USD: 90 },
      tiers: [
        { from_subtotal: 0, price: { EUR: 7, USD: 7 } },
        { from_subtotal: { EUR: 50, USD: 60 }, price: 5 },
      ],
    },
  ];
  const settings = await shop.patch('/settings', {
    tax,
    shipping: { flat: { EUR: 4.9, USD: 6 }, free_over: { EUR: 60 }, by_country, methods },
    payments: 'sandbox',
    secrets: { stripe_secret_key: 'sk_test_0123456789' },
    checkout: {
      allowed_hosts: ['a.example.com', 'b.example.com'],
      external_url: 'https://a.example.com/pay',
    },
    feeds: { product_url: 'https://a.example.com/p/{slug}?a=1&v={variant_id}' },
  });
  expect(settings.status).toBe(200);
}

const settingsCase = (shop: World, path: string) => ({
  page: `/developer/settings${path}`,
  read: async () => (await shop.get('/settings')).body,
});

const promotionCase = (shop: World, id: number) => ({
  page: `/developer/promotions/${id}`,
  read: async () => (await shop.get(`/promotions/${id}`)).body,
});

/** What can be saved in the panel, with every field set: how it is made, its form, and how the API shows it. */
const CASES: Record<
  string,
  (shop: World) => Promise<{ page: string; form?: string; read: () => Promise<object> }>
> = {
  'the tax settings': async (shop) => {
    await fullSettings(shop);
    return settingsCase(shop, '/tax');
  },
  'the checkout settings': async (shop) => {
    await fullSettings(shop);
    return settingsCase(shop, '/checkout');
  },
  'the general settings': async (shop) => {
    await fullSettings(shop);
    return settingsCase(shop, '');
  },
  'the flat rates of shipping': async (shop) => {
    await fullSettings(shop);
    return settingsCase(shop, '/shipping/flat-rates');
  },
  'a shipping method with one price': async (shop) => {
    await fullSettings(shop);
    return settingsCase(shop, '/shipping/methods/parcel');
  },
  'a shipping method with prices by weight': async (shop) => {
    await fullSettings(shop);
    return settingsCase(shop, '/shipping/methods/freight');
  },
  'a shipping method with prices by value': async (shop) => {
    await fullSettings(shop);
    return settingsCase(shop, '/shipping/methods/value');
  },
  theme: async (shop) => {
    await shop.patch('/theme/options', {
      colors: { primary: '#ABCDEF' },
      font_family: 'Georgia, serif',
      logo_url: URL,
      favicon_url: URL,
      homepage_sections: ['hero', 'sale'],
    });
    return { page: '/developer/theme', read: async () => (await shop.get('/theme/options', NEWEST)).body };
  },
  'a promotion with a code': async (shop) => {
    const { body } = await shop.post('/products', { name: 'Cup', type: 'simple', price: 1 });
    const made = await shop.post('/coupons', {
      code: 'SUMMER_10',
      kind: 'fixed',
      value: { EUR: 5, USD: 6.5 },
      minimum_subtotal: { EUR: 50 },
      starts_at: '2026-01-01T00:00:01.001Z',
      ends_at: '2030-12-31T23:59:59Z',
      max_uses: 100,
      max_uses_per_customer: 1,
      product_ids: [body.id],
    });
    return promotionCase(shop, made.body.id);
  },
  'an automatic promotion': async (shop) => {
    const category = await shop.post('/categories', { name: 'Kitchen' });
    const made = await shop.post('/promotions', {
      name: 'Third "half" price',
      trigger: 'automatic',
      priority: 3,
      combinable: true,
      active: false,
      effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent_off: 50.5 },
      conditions: {
        minimum_quantity: 3,
        minimum_subtotal: 20,
        first_order: true,
        category_ids: [category.body.id],
      },
    });
    return promotionCase(shop, made.body.id);
  },
  'a promotion of one amount in every currency': async (shop) => {
    const effect = { kind: 'fixed', value: 5 };
    const made = await shop.post('/promotions', { name: 'Five', trigger: 'automatic', effect });
    return promotionCase(shop, made.body.id);
  },
  'product on sale': async (shop) => {
    const sale = { price: 9, prices: { USD: 10 }, ends_at: '2030-12-31T23:59:59Z' };
    const body = { name: 'Cup', type: 'simple', price: 12.5, prices: { USD: 14 }, sale };
    const { id } = (await shop.post('/products', body)).body;
    return {
      page: `/developer/products/${id}`,
      read: async () => (await shop.get(`/products/${id}`, NEWEST)).body,
    };
  },
  product: async (shop) => {
    const made = await shop.post('/products', {
      name: 'Mug "large" & <blue>',
      type: 'simple',
      price: 12.5,
      prices: { USD: 14 },
      regular_price: 15,
      stock: 7,
      description: '<p>Round</p>',
      seo: { title: 'Mug', description: 'A mug', og_image: URL },
      ...COMMON,
    });
    const { id } = made.body;
    return {
      page: `/developer/products/${id}`,
      read: async () => [
        (await shop.get(`/products/${id}`, NEWEST)).body,
        (await shop.get(`/products/${id}?currency=USD`, NEWEST)).body,
      ],
    };
  },
  variants: async (shop) => {
    const variant = (size: string) => ({
      sku: `TEE-${size}`,
      price: 20,
      prices: { USD: 22 },
      stock: 3,
      attributes: { size },
      barcode: `40123${size}`,
      image: URL,
      weight: 180,
    });
    const made = await shop.post('/products', {
      name: 'Tee',
      type: 'configurable',
      price: 20,
      variants: [variant('S'), variant('M')],
      ...COMMON,
    });
    const { id } = made.body;
    return {
      page: `/developer/products/${id}/variants`,
      read: async () => [
        (await shop.get(`/products/${id}`, NEWEST)).body,
        (await shop.get(`/products/${id}?currency=USD`, NEWEST)).body,
      ],
    };
  },
  webhook: async (shop) => {
    const hook = {
      url: 'https://shop.example.com/hooks?a=b&c=d',
      events: ['order.paid', 'stock.changed'],
      description: 'For "stock"',
      filter: { sku: ['A', 'B,C'], product_id: [7, 8] },
      ordered: true,
    };
    const { id } = (await shop.post('/webhooks', hook)).body;
    return {
      page: `/developer/webhooks/${id}/edit`,
      read: async () => (await shop.get('/webhooks')).body.data,
    };
  },
  'a webhook that paused itself': async (shop) => {
    const receiver = new Receiver();
    receiver.respond = respondWith(410);
    const { id } = await subscribe(shop, receiver.url);
    await emitEvent(shop);
    const read = async () => (await shop.get('/webhooks')).body.data;
    await until(async () => expect(await read()).toMatchObject([{ paused_reason: 'gone' }]));
    return { page: `/developer/webhooks/${id}/edit`, read };
  },
  application: async (shop) => {
    const { id } = await shop.register({
      kind: 'mobile',
      scopes: ['catalog:read', 'cart:write'],
      rate_limit_per_minute: 30,
      allowed_origins: ['https://a.example.com', 'https://b.example.com:8443'],
      status: 'passive',
      expires_at: '2030-12-31T23:59:59.999Z',
    });
    return {
      page: `/developer/applications/${id}`,
      read: async () => (await admin('GET', `/tenants/${shop.slug}/applications/${id}`)).body,
    };
  },
};

/** What a save changes by its nature. */
const timeless = (shown: object) =>
  JSON.parse(JSON.stringify(shown, (name, value) => (name === 'updated_at' ? '' : value)));

it.each(Object.entries(CASES))('changes nothing when the form of %s is saved as shown', async (_, make) => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const { page, form = page, read } = await make(shop);
  const before = await read();
  const developer = await asDeveloper(shop.slug);
  const saved = await fill(developer, page, form, {});
  expect([saved.status, saved.html.includes('Saved.')]).toEqual([200, true]);
  expect(timeless(await read())).toEqual(timeless(before));
});
