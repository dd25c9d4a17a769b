import type { Example } from '../kernel/openapi/example.ts';
import type { TotalsExplanation } from '../pricing/index.ts';
import { cart, coupon, discounted, espressoItem, jerseyItem, totals } from './example-items.ts';
import type { CartHistory } from './history-schemas.ts';
import type { CartAnswer, CartBatch, CartParams } from './schemas.ts';

/** The token of a cart that a newsletter's link fills. */
export const NEWSLETTER_CART = 'ct_NQNjObz3s69K0v1TspxXYU13OMz0dt4C7RZ';
const params = { cart_token: NEWSLETTER_CART } as const;

const changed = () => totals({ subtotal: 96.8, tax: 12.4, discount: 9.68 });

const explainedItems = (): TotalsExplanation['items'] => [
  {
    item_id: 1,
    total: { amount: 17.8, rule: 'unit_price_times_quantity', unit_price: 8.9, quantity: 2 },
    discount: {
      amount: 1.78,
      rule: 'share',
      weight: 17.8,
      shares: [{ promotion_id: 1, amount: 1.78, weight: 17.8 }],
    },
    tax: { amount: 1.05, rule: 'included', taxable: 16.02, rate_percent: 7, tax_class: 'food' },
  },
  {
    item_id: 2,
    total: { amount: 79, rule: 'unit_price_times_quantity', unit_price: 79, quantity: 1 },
    discount: {
      amount: 7.9,
      rule: 'share',
      weight: 79,
      shares: [{ promotion_id: 1, amount: 7.9, weight: 79 }],
    },
    tax: { amount: 11.35, rule: 'included', taxable: 71.1, rate_percent: 19, tax_class: null },
  },
];

const explainedPromotions = (): TotalsExplanation['promotions'] => [
  {
    id: 1,
    name: 'WELCOME10',
    code: 'WELCOME10',
    amount: 9.68,
    rule: 'percent',
    priority: 100,
    combinable: false,
    percent: 10,
    fixed: null,
    buy: null,
    get: null,
    eligible: 96.8,
    minimum_subtotal: 15,
    minimum_quantity: null,
    reason: null,
  },
];

const explained = (): TotalsExplanation => ({
  currency: 'EUR',
  country: null,
  items: explainedItems(),
  subtotal: { amount: 96.8, rule: 'sum_of_item_totals' },
  discount: {
    amount: 9.68,
    rule: 'percent',
    code: 'WELCOME10',
    percent: 10,
    fixed: null,
    eligible_subtotal: 96.8,
    minimum_subtotal: 15,
    reason: null,
  },
  promotions: explainedPromotions(),
  subtotal_after_discount: { amount: 87.12, rule: 'subtotal_less_discount' },
  shipping: {
    amount: 0,
    rule: 'free_over',
    method: { id: 'standard', name: 'Parcel' },
    flat_rate: 4.9,
    free_over: 60,
    tier: null,
    weight: 850,
  },
  tax: {
    amount: 12.4,
    rule: 'sum_of_item_taxes_and_shipping_tax',
    shipping_tax: { amount: 0, rule: 'included', taxable: 0, rate_percent: 0 },
  },
  grand_total: { amount: 87.12, rule: 'goods_and_shipping' },
});

/** Examples of a batch and of the reports on a cart. */
export const reportExamples = {
  batch: (): Example<{
    params: typeof CartParams;
    body: typeof CartBatch;
    answer: typeof CartAnswer;
  }> => ({
    params,
    body: {
      operations: [
        { op: 'add', variant_id: 4, quantity: 1 },
        { op: 'set', item_id: 1, quantity: 2 },
        { op: 'coupon', code: 'WELCOME10' },
      ],
    },
    answer: cart(NEWSLETTER_CART, [espressoItem(2), jerseyItem()].map(discounted), {
      totals: changed(),
      ...coupon(9.68),
      metadata: { source: 'newsletter' },
    }),
  }),
  history: (): Example<{ params: typeof CartParams; answer: typeof CartHistory }> => ({
    params,
    answer: {
      data: [
        {
          version: 2,
          at: '2026-11-23T11:40:12.085Z',
          application_id: 1,
          totals: changed(),
          operations: [
            { op: 'add', product_id: 3, variant_id: 4, quantity: 1 },
            { op: 'set', item_id: 1, quantity: 2 },
            { op: 'coupon', code: 'WELCOME10' },
          ],
        },
        {
          version: 1,
          at: '2026-11-23T11:40:03.551Z',
          application_id: 1,
          operations: [
            { op: 'create' },
            { op: 'add', product_id: 1, variant_id: null, quantity: 1 },
            { op: 'metadata' },
          ],
          totals: totals({ subtotal: 8.9, tax: 0.58, shipping: 4.9 }),
        },
      ],
      currency: 'EUR',
    },
  }),
  explain: (): Example<{ params: typeof CartParams; answer: typeof TotalsExplanation }> => ({
    params,
    answer: explained(),
  }),
};
