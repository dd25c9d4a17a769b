/**
 * The demo shop: a small trader in coffee, pots and days outdoors, with all seven product types,
 * nested categories, two shipping methods, promotions and prices in four currencies.
 */

export const TENANT = {
  slug: 'demo',
  name: 'Pine & Harbour',
  currency: 'EUR',
  currencies: ['EUR', 'USD', 'GBP', 'JPY'],
  plan: 'growth',
  settings: {
    tax: { mode: 'inclusive', rate_percent: 19, rates_by_country: { DE: 19, AT: 20, FR: 20, NL: 21 } },
    shipping: {
      methods: [
        {
          id: 'parcel',
          name: 'Parcel',
          min_days: 2,
          max_days: 4,
          price: { EUR: 4.9, USD: 6.5, GBP: 4.5, JPY: 900 },
          free_over: { EUR: 60, USD: 70, GBP: 55, JPY: 10000 },
        },
        {
          id: 'express',
          name: 'Express',
          description: 'By noon, with a signature',
          max_days: 1,
          price: { EUR: 14, USD: 18, GBP: 13, JPY: 2500 },
        },
      ],
    },
    checkout: { allowed_hosts: ['shop.example.com', 'localhost', 'localhost:3000'] },
    payments: 'sandbox',
    ucp: { enabled: true },
  },
};

export const THEME = {
  colors: { primary: '#1F4D3A', accent: '#C8553D', background: '#FBF8F3', text: '#22261F' },
  homepage_sections: ['hero', 'new_arrivals', 'categories', 'coffee_beans', 'workshops'],
  font_family: "'Avenir Next', 'Segoe UI', system-ui, sans-serif",
};

/** A category with its subcategories; the slug is derived from the name. */
export interface DemoCategory {
  readonly name: string;
  readonly children?: readonly DemoCategory[];
}

export const CATEGORIES: readonly DemoCategory[] = [
  {
    name: 'Coffee & Tea',
    children: [
      { name: 'Coffee Beans', children: [{ name: 'Single Origin' }, { name: 'Blends' }] },
      { name: 'Tea' },
      { name: 'Brewing Gear' },
    ],
  },
  { name: 'Kitchen', children: [{ name: 'Ceramics' }, { name: 'Linen' }, { name: 'Pantry' }] },
  { name: 'Outdoors', children: [{ name: 'Bags' }, { name: 'Camp Kitchen' }] },
  { name: 'Clothing', children: [{ name: 'Tops' }, { name: 'Knitwear' }] },
  {
    name: 'Courses & Gifts',
    children: [{ name: 'Workshops' }, { name: 'Gift Cards' }, { name: 'Downloads' }],
  },
];

/** What is deducted: by itself from a large cart, and with a code. */
export const PROMOTIONS = [
  {
    name: '5 % off large orders',
    trigger: 'automatic',
    effect: { kind: 'percent', value: 5 },
    conditions: { minimum_subtotal: { EUR: 250, USD: 280, GBP: 220, JPY: 40000 } },
  },
  {
    name: 'Welcome',
    trigger: 'code',
    code: 'HARBOUR10',
    effect: { kind: 'percent', value: 10 },
  },
];
