import type { Example, NamedExamples } from '../kernel/openapi/example.ts';
import type { PostalAddressInput } from '../kernel/values/postal-address.ts';
import {
  addressed,
  bookingTotals,
  cart,
  coupon,
  discounted,
  EXAMPLE_BOOKING_CART,
  EXAMPLE_CART,
  espressoItem,
  exampleAddress,
  exampleShippingMethods,
  exampleTotals,
  item,
  jerseyItem,
  serviceItem,
  totals,
  withJersey,
} from './example-items.ts';
import { NEWSLETTER_CART, reportExamples } from './example-reports.ts';
import type {
  CartAnswer,
  CartCreate,
  CartParams,
  CartQuery,
  CouponApply,
  ItemAdd,
  ItemParams,
  ItemPatch,
  ShippingMethodChoice,
  ShippingMethodList,
} from './schemas.ts';

const cartParams = { cart_token: EXAMPLE_CART } as const;

type Add = NamedExamples<{ body: typeof ItemAdd; answer: typeof CartAnswer }>;

const addExamples = (): Add => ({
  simple: {
    summary: 'Simple or virtual, in a new cart',
    body: { product_id: 1, quantity: 2 },
    answer: cart(EXAMPLE_CART, [espressoItem(2)], {
      totals: totals({ subtotal: 17.8, tax: 1.16, shipping: 4.9 }),
    }),
  },
  configurable: {
    summary: 'Configurable, in an existing cart',
    body: {
      product_id: 3,
      quantity: 1,
      cart_token: EXAMPLE_CART,
      options: { attributes: { size: 'M', colour: 'Forest' } },
    },
    answer: cart(EXAMPLE_CART, [espressoItem(2), jerseyItem()], {
      totals: totals({ subtotal: 96.8, tax: 13.77 }),
    }),
  },
  downloadable: {
    summary: 'Downloadable, with a link at a surcharge',
    body: { product_id: 6, quantity: 1, options: { links: [2] } },
    answer: cart(
      'ct_HW7lnDK6QDAEKFVxnyZH2n1PGIerS2QWAmV',
      [
        item({
          product_id: 6,
          name: 'Canal rides of Berlin',
          slug: 'canal-rides-of-berlin',
          type: 'downloadable',
          sku: 'ROUTES-CANAL',
          unit_price: 16,
          options: { links: [2] },
          selected: [{ name: 'Download', value: 'GPX tracks' }],
        }),
      ],
      { totals: totals({ subtotal: 16, tax: 2.55 }) },
    ),
  },
  ...addGrouped(),
  ...addBundled(),
  ...addBooking(),
});

const addGrouped = (): Add => ({
  grouped: {
    summary: 'Grouped, with quantities by product',
    body: { product_id: 7, quantity: 1, options: { qty: { 1: 2, 2: 1 } } },
    answer: cart(
      'ct_qMYrmU0v5hgpzZPjB2JUk51wC2Y0ysJqP9T',
      [
        espressoItem(2),
        item({
          id: 2,
          product_id: 2,
          name: 'Barista course voucher',
          slug: 'barista-course-voucher',
          type: 'virtual',
          sku: 'VOUCHER-BARISTA',
          unit_price: 49,
        }),
      ],
      { totals: totals({ subtotal: 66.8, tax: 8.98 }) },
    ),
  },
});

const addBundled = (): Add => ({
  bundled: {
    summary: 'Bundled, with items by group and custom data',
    body: {
      product_id: 8,
      quantity: 1,
      options: { bundle_options: { 1: [1], 2: [2] }, gift_message: 'For Jonas' },
    },
    answer: cart(
      'ct_MJvutJbBpPAX8yy8OWfGRA1ac9vBeoYRAMK',
      [
        item({
          product_id: 8,
          name: 'Sunday gift box',
          slug: 'sunday-gift-box',
          sku: 'BOX-SUNDAY',
          type: 'bundled',
          unit_price: 66.8,
          regular_price: 72.8,
          selected: [
            { name: 'Coffee', value: '2 × Espresso Kreuzberg 250 g' },
            { name: 'Extras', value: 'Barista course voucher' },
          ],
          options: {
            bundle_option_qty: { 1: 1, 2: 1 },
            bundle_options: { 1: [1], 2: [2] },
            gift_message: 'For Jonas',
          },
        }),
      ],
      { totals: totals({ subtotal: 66.8, tax: 10.67 }) },
    ),
  },
});

const addBooking = (): Add => ({
  booking: {
    summary: 'Booking, with the times of a slot',
    body: {
      product_id: 9,
      quantity: 1,
      options: { booking: { from: '2030-05-06T07:00:00Z', to: '2030-05-06T09:00:00Z' } },
    },
    answer: cart(EXAMPLE_BOOKING_CART, [serviceItem()], { totals: bookingTotals() }),
  },
});

type Of<Schemas> = Example<Schemas & { params: typeof CartParams; answer: typeof CartAnswer }>;

/** Examples of the Cart API. */
export const cartExamples = {
  create: (): Example<{ body: typeof CartCreate; answer: typeof CartAnswer }> => ({
    body: { currency: 'EUR', items: [{ product_id: 1, quantity: 1 }], metadata: { source: 'newsletter' } },
    answer: cart(NEWSLETTER_CART, [espressoItem(1)], {
      totals: totals({ subtotal: 8.9, tax: 0.58, shipping: 4.9 }),
      metadata: { source: 'newsletter' },
    }),
  }),
  ...reportExamples,
  read: (): Of<object> => ({ params: cartParams, answer: addressed() }),
  add: addExamples,
  change: (): Example<{
    params: typeof ItemParams;
    body: typeof ItemPatch;
    answer: typeof CartAnswer;
  }> => ({
    params: { id: 1 },
    body: { cart_token: EXAMPLE_CART, quantity: 3 },
    answer: cart(EXAMPLE_CART, withJersey(), { totals: totals({ subtotal: 105.7, tax: 14.36 }) }),
  }),
  remove: (): Example<{
    params: typeof ItemParams;
    query: typeof CartQuery;
    answer: typeof CartAnswer;
  }> => ({
    params: { id: 2 },
    query: cartParams,
    answer: cart(EXAMPLE_CART, [discounted(espressoItem(3))], { totals: exampleTotals(), ...coupon() }),
  }),
  applyCoupon: (): Of<{ body: typeof CouponApply }> => ({
    params: cartParams,
    body: { code: 'WELCOME10' },
    answer: cart(EXAMPLE_CART, withJersey().map(discounted), {
      totals: totals({ subtotal: 105.7, tax: 12.92, discount: 10.57 }),
      ...coupon(10.57),
    }),
  }),
  removeCoupon: (): Of<object> => ({
    params: cartParams,
    answer: cart(EXAMPLE_CART, withJersey(), { totals: totals({ subtotal: 105.7, tax: 14.36 }) }),
  }),
  shippingMethods: (): Example<{ params: typeof CartParams; answer: typeof ShippingMethodList }> => ({
    params: cartParams,
    answer: {
      data: exampleShippingMethods(),
    },
  }),
  chooseShippingMethod: (): Of<{ body: typeof ShippingMethodChoice }> => ({
    params: cartParams,
    body: { id: 'standard' },
    answer: addressed(),
  }),
  setAddress: (): Of<{ body: typeof PostalAddressInput }> => ({
    params: cartParams,
    body: exampleAddress(),
    answer: addressed(),
  }),
};
