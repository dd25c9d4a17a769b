import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { admin, type World } from '../../support/world.ts';

export type Fields = Record<string, string | string[]>;

/** A form and two people's changes: one makes `theirs`; the other one makes `other`, or `clash` in the same field. */
export interface EditedForm {
  readonly page: string;
  readonly theirs: Fields;
  readonly other: Fields;
  readonly clash: Fields;
  /** The row of the conflict: the field, and both values as the page shows them. */
  readonly row: readonly [field: string, yours: string, theirs: string];
  read(): Promise<unknown>;
  /** What is stored after `theirs`, then also `other`, then `clash` that was kept. */
  readonly stored: readonly [theirs: object, both: object, kept: object];
}

const settingsOf = (shop: World) => async () => (await shop.get('/settings')).body;
const NO_PRICE = { 'shipping.by_country.1.flat.USD': '' };

/** Every form that may be open twice, by what it edits. */
export const EDITED_FORMS: Record<string, (shop: World) => Promise<EditedForm>> = {
  'a customer': async (shop) => {
    const { id } = await registerCustomer(shop, { name: 'Ada Lovelace', phone: '+49 30 1234' });
    return {
      page: `/developer/customers/${id}`,
      theirs: { name: 'Ada King' },
      other: { phone: '+49 30 99' },
      clash: { name: 'Ada Byron' },
      row: ['Name', 'Ada Byron', 'Ada King'],
      read: async () => (await shop.get(`/customers/${id}`)).body,
      stored: [
        { name: 'Ada King', phone: '+49 30 1234' },
        { name: 'Ada King', phone: '+49 30 99' },
        { name: 'Ada Byron' },
      ],
    };
  },
  'an address': async (shop) => {
    const ada = await registerCustomer(shop, { name: 'Ada' });
    const home = { country: 'DE', line1: 'Oranienstr. 25', city: 'Berlin' };
    const { id } = (await shop.post('/customers/me/addresses', home, withSession(ada.token))).body;
    return {
      page: `/developer/customers/${ada.id}/addresses/${id}`,
      theirs: { country: 'Austria' },
      other: { city: 'Wien' },
      clash: { country: 'Norway' },
      row: ['Country', 'Norway', 'Austria'],
      read: async () => (await shop.get(`/customers/${ada.id}/addresses`)).body.data[0],
      stored: [{ country: 'AT', city: 'Berlin' }, { country: 'AT', city: 'Wien' }, { country: 'NO' }],
    };
  },
  'a promotion': async (shop) => {
    const made = await shop.post('/promotions', {
      name: 'Sale',
      trigger: 'automatic',
      effect: { kind: 'percent', value: 10 },
      conditions: { minimum_quantity: 2 },
    });
    return {
      page: `/developer/promotions/${made.body.id}`,
      theirs: { name: 'Summer sale', 'effect.percent': '20' },
      other: { 'conditions.minimum_quantity': '3', ends_at: '2030-12-31T23:59' },
      clash: { 'effect.percent': '30', name: 'Summer sale' },
      row: ['What it gives', '30 % off', '20 % off'],
      read: async () => (await shop.get(`/promotions/${made.body.id}`)).body,
      stored: [
        { name: 'Summer sale', effect: { value: 20 }, conditions: { minimum_quantity: 2 } },
        {
          name: 'Summer sale',
          effect: { value: 20 },
          conditions: { minimum_quantity: 3 },
          ends_at: '2030-12-31T23:59:00.000Z',
        },
        { name: 'Summer sale', effect: { value: 30 } },
      ],
    };
  },
  'the general settings': async (shop) => ({
    page: '/developer/settings',
    theirs: { low_stock_threshold: '7' },
    other: { 'feeds.product_url': 'https://shop.example.com/{slug}' },
    clash: { low_stock_threshold: '9' },
    row: ['Low stock', '9', '7'],
    read: settingsOf(shop),
    stored: [
      { low_stock_threshold: 7 },
      { low_stock_threshold: 7, feeds: { product_url: 'https://shop.example.com/{slug}' } },
      { low_stock_threshold: 9 },
    ],
  }),
  'the checkout settings': async (shop) => ({
    page: '/developer/settings/checkout',
    theirs: { payments: 'sandbox', 'checkout.external_url': 'https://a.example.com/' },
    other: { 'checkout.allowed_hosts': 'b.example.com' },
    clash: { 'checkout.external_url': 'https://c.example.com/', payments: 'sandbox' },
    row: ['External checkout URL', 'https://c.example.com/', 'https://a.example.com/'],
    read: settingsOf(shop),
    stored: [
      { payments: 'sandbox', checkout: { external_url: 'https://a.example.com/', allowed_hosts: [] } },
      { payments: 'sandbox', checkout: { allowed_hosts: ['b.example.com'] } },
      { checkout: { external_url: 'https://c.example.com/' } },
    ],
  }),
  'the settings for agents': async (shop) => ({
    page: '/developer/settings/agents',
    theirs: { 'ucp.storefront_url': 'https://a.example.com/' },
    other: { 'ucp.policies.terms': 'https://a.example.com/terms' },
    clash: { 'ucp.storefront_url': 'https://b.example.com/' },
    row: ['First page of your shop', 'https://b.example.com/', 'https://a.example.com/'],
    read: settingsOf(shop),
    stored: [
      { ucp: { storefront_url: 'https://a.example.com/' } },
      {
        ucp: { storefront_url: 'https://a.example.com/', policies: { terms: 'https://a.example.com/terms' } },
      },
      { ucp: { storefront_url: 'https://b.example.com/' } },
    ],
  }),
  'the tax rates': async (shop) => {
    const rates_by_country = { AT: 20, CH: 8 };
    await shop.patch('/settings', { tax: { mode: 'inclusive', rate_percent: 19, rates_by_country } });
    return {
      page: '/developer/settings/tax',
      theirs: {
        'tax.rate_percent': '20',
        'tax.rates_by_country.0.rate': '21',
        'tax.rates_by_class.0.name': 'books: old & new',
        'tax.rates_by_class.0.rate': '7',
      },
      other: { 'tax.rates_by_country.1.rate': '8.1' },
      clash: { 'tax.rates_by_country.0.rate': '22' },
      row: ['Rate for Austria', '22', '21'],
      read: settingsOf(shop),
      stored: [
        {
          tax: {
            rate_percent: 20,
            rates_by_country: { AT: 21, CH: 8 },
            rates_by_class: { 'books: old & new': { rate_percent: 7 } },
          },
        },
        {
          tax: {
            rate_percent: 20,
            rates_by_country: { AT: 21, CH: 8.1 },
            rates_by_class: { 'books: old & new': { rate_percent: 7 } },
          },
        },
        { tax: { rates_by_country: { AT: 22 } } },
      ],
    };
  },
  'the flat rates': async (shop) => {
    const by_country = { CH: { flat: 9, free_over: null }, NO: { flat: 15 } };
    await shop.patch('/settings', { shipping: { flat: 5, by_country } });
    return {
      page: '/developer/settings/shipping/flat-rates',
      theirs: { 'shipping.flat.EUR': '6', 'shipping.flat.USD': '6', 'shipping.by_country.0.free': 'same' },
      other: { 'shipping.by_country.1.country': '', 'shipping.by_country.1.flat.EUR': '', ...NO_PRICE },
      clash: {
        'shipping.by_country.0.free': 'from',
        'shipping.by_country.0.free_over.EUR': '90',
        'shipping.by_country.0.free_over.USD': '90',
      },
      row: ['Prices for Switzerland', '9, free from 90', '9, free as above'],
      read: settingsOf(shop),
      stored: [
        { shipping: { flat: 6, by_country: { CH: { flat: 9 }, NO: { flat: 15 } } } },
        { shipping: { flat: 6, by_country: { CH: { flat: 9 } } } },
        { shipping: { by_country: { CH: { flat: 9, free_over: 90 } } } },
      ],
    };
  },
  'a shipping method': async (shop) => {
    const methods = [
      { id: 'parcel', name: 'Parcel', tiers: [{ from_weight: 0, price: 5 }], countries: ['DE'] },
      { id: 'express', name: 'Express', price: 9 },
    ];
    await shop.patch('/settings', { shipping: { flat: 5, methods } });
    return {
      page: '/developer/settings/shipping/methods/parcel',
      theirs: { name: 'Post', countries: ['DE', 'AT'] },
      other: { max_days: '3' },
      clash: { countries: ['DE', 'CH'], name: 'Post' },
      row: ['Countries', 'Germany, Switzerland', 'Germany, Austria'],
      read: async () => (await shop.get('/settings')).body.shipping.methods[0],
      stored: [
        { name: 'Post', countries: ['DE', 'AT'], tiers: [{ from_weight: 0, price: 5 }] },
        { name: 'Post', countries: ['DE', 'AT'], max_days: 3 },
        { name: 'Post', countries: ['DE', 'CH'], max_days: 3 },
      ],
    };
  },
  'the theme': async (shop) => ({
    page: '/developer/theme',
    theirs: { 'colors.primary': '#aa0033' },
    other: { homepage_sections: 'hero\nsale', 'colors.accent': '#00aa33' },
    clash: { 'colors.primary': '#bb0033' },
    row: ['Primary colour', '#BB0033', '#AA0033'],
    read: async () => (await shop.get('/theme/options', NEWEST)).body,
    stored: [
      { colors: { primary: '#AA0033' } },
      { colors: { primary: '#AA0033', accent: '#00AA33' }, homepage_sections: ['hero', 'sale'] },
      { colors: { primary: '#BB0033', accent: '#00AA33' } },
    ],
  }),
  'a webhook': async (shop) => {
    const hook = { url: 'https://a.example.com/hooks', events: ['stock.changed', 'order.paid'] };
    const { id } = (await shop.post('/webhooks', hook)).body;
    return {
      page: `/developer/webhooks/${id}/edit`,
      theirs: { status: 'paused', description: 'For stock' },
      other: { url: 'https://b.example.com/hooks' },
      clash: { description: 'For orders', status: 'paused' },
      row: ['Description', 'For orders', 'For stock'],
      read: async () => (await shop.get('/webhooks')).body.data[0],
      stored: [
        { status: 'paused', description: 'For stock', url: 'https://a.example.com/hooks' },
        { status: 'paused', description: 'For stock', url: 'https://b.example.com/hooks' },
        { status: 'paused', description: 'For orders' },
      ],
    };
  },
  'an application': async (shop) => {
    const { id } = await shop.register({
      kind: 'integration',
      scopes: ['catalog:read', 'orders:write'],
      expires_at: '2030-01-01T00:00:00Z',
    });
    return {
      page: `/developer/applications/${id}`,
      theirs: { scopes: 'catalog:read' },
      other: { name: 'Warehouse', allowed_origins: 'https://a.example.com' },
      clash: { scopes: ['catalog:read', 'orders:write', 'cart:read'] },
      row: ['Scopes', 'cart:read, catalog:read, orders:write', 'catalog:read'],
      read: async () => (await admin('GET', `/tenants/${shop.slug}/applications/${id}`)).body,
      stored: [
        { scopes: ['catalog:read'], expires_at: '2030-01-01T00:00:00.000Z' },
        { scopes: ['catalog:read'], name: 'Warehouse', allowed_origins: ['https://a.example.com'] },
        { scopes: ['cart:read', 'catalog:read', 'orders:write'], name: 'Warehouse' },
      ],
    };
  },
  'a tenant': async (shop) => ({
    page: `/admin/tenants/${shop.slug}`,
    theirs: { plan: 'starter' },
    other: { currencies: 'EUR, CHF' },
    clash: { plan: 'enterprise' },
    row: ['Plan', 'enterprise', 'starter'],
    read: async () => (await admin('GET', `/tenants/${shop.slug}`)).body,
    stored: [
      { plan: 'starter', currencies: ['EUR', 'USD'] },
      { plan: 'starter', currencies: ['EUR', 'CHF'] },
      { plan: 'enterprise', currencies: ['EUR', 'CHF'] },
    ],
  }),
};
