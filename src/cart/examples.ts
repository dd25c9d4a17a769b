import type { z } from '@hono/zod-openapi';
import type { PostalAddress, PostalAddressInput } from '../kernel/core/postal-address.ts';
import type { Example, NamedExamples } from '../kernel/openapi/example.ts';
import type { LineItem, Totals } from '../pricing/index.ts';
import type {
  CartAnswer,
  CartCreate,
  CartParams,
  CartQuery,
  CouponApply,
  ItemAdd,
  ItemParams,
  ItemPatch,
} from './schemas.ts';

type Line = z.output<typeof LineItem>;

/** The token of the cart that the example customer buys. */
export const EXAMPLE_CART = 'ct_N10B6qbuLzvFcayig7gAzw1KY4Sa7Pyqr2w';
/** The token of the cart with a booking. */
export const EXAMPLE_BOOKING_CART = 'ct_mCYyIZuElGNua78SSCvMdE1t8UmbrZ8TIDC';
const cartParams = { cart_token: EXAMPLE_CART } as const;

/** Returns totals of prices that include tax, from the amounts that differ. */
const totals = ({
  subtotal,
  tax,
  shipping = 0,
  discount = 0,
}: Pick<Totals, 'subtotal' | 'tax'> & Partial<Pick<Totals, 'shipping' | 'discount'>>): Totals => ({
  ...{ subtotal, tax, shipping, discount },
  grand_total: Number((subtotal + shipping - discount).toFixed(2)),
  tax_included: true,
});
const cart = (
  cart_token: string,
  items: Line[],
  more: Pick<CartAnswer, 'totals'> & Partial<CartAnswer>,
): CartAnswer => ({
  ...{ cart_token, items, currency: 'EUR', warnings: [], ...more },
});
const line = (fields: Pick<Line, 'product_id' | 'name' | 'sku' | 'unit_price'> & Partial<Line>): Line => ({
  ...{ id: 1, variant_id: null, options: {}, quantity: 1 },
  ...fields,
  total: Number((fields.unit_price * (fields.quantity ?? 1)).toFixed(2)),
});

/** A line of coffee, which the example shop sells at 8.90 EUR. */
export const espressoLine = (quantity: number): Line =>
  line({ product_id: 1, name: 'Espresso Kreuzberg 250 g', sku: 'ESP-250', quantity, unit_price: 8.9 });
/** A line with an appointment in the example shop's workshop. */
export const serviceLine = (): Line =>
  line({
    ...{ product_id: 9, name: 'Full bike service', sku: 'SERVICE-FULL', unit_price: 89 },
    options: { booking: { from: '2030-05-06T07:00:00.000Z', to: '2030-05-06T09:00:00.000Z' } },
  });
const jerseyLine = (): Line =>
  line({
    ...{ id: 2, product_id: 3, variant_id: 4, name: 'Merino jersey', sku: 'JERSEY-M', unit_price: 79 },
    options: { attributes: { colour: 'Forest', size: 'M' }, variant_id: 4 },
  });

/** The totals of the cart that the example customer buys: three bags of coffee less 10 %. */
export const exampleTotals = (): Totals =>
  totals({ subtotal: 26.7, tax: 1.57, shipping: 4.9, discount: 2.67 });
/** The totals of the cart with a booking. */
export const bookingTotals = (): Totals => totals({ subtotal: 89, tax: 14.21 });
/** The example customer's address. */
export const exampleAddress = (): PostalAddress => ({
  ...{ country: 'DE', first_name: 'Mila', last_name: 'Hoffmann' },
  ...{ line1: 'Oranienstraße 25', postal_code: '10999', city: 'Berlin' },
});

const coupon = () => ({ coupon: { code: 'WELCOME10', applies: true } });
const withJersey = () => [espressoLine(3), jerseyLine()];
const addressed = (): CartAnswer =>
  cart(EXAMPLE_CART, [espressoLine(3)], {
    totals: exampleTotals(),
    ...{ ...coupon(), shipping_address: exampleAddress(), email: 'mila.hoffmann@example.com' },
  });

type Add = NamedExamples<{ body: typeof ItemAdd; answer: typeof CartAnswer }>;

const addExamples = (): Add => ({
  simple: {
    summary: 'Simple or virtual, in a new cart',
    body: { product_id: 1, quantity: 2 },
    answer: cart(EXAMPLE_CART, [espressoLine(2)], {
      totals: totals({ subtotal: 17.8, tax: 1.16, shipping: 4.9 }),
    }),
  },
  configurable: {
    summary: 'Configurable, in an existing cart',
    body: {
      ...{ product_id: 3, quantity: 1, cart_token: EXAMPLE_CART },
      options: { attributes: { size: 'M', colour: 'Forest' } },
    },
    answer: cart(EXAMPLE_CART, [espressoLine(2), jerseyLine()], {
      totals: totals({ subtotal: 96.8, tax: 13.77 }),
    }),
  },
  downloadable: {
    summary: 'Downloadable, with a link at a surcharge',
    body: { product_id: 6, quantity: 1, options: { links: [2] } },
    answer: cart(
      'ct_HW7lnDK6QDAEKFVxnyZH2n1PGIerS2QWAmV',
      [
        line({
          ...{ product_id: 6, name: 'Canal rides of Berlin', sku: 'ROUTES-CANAL', unit_price: 16 },
          options: { links: [2] },
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
        espressoLine(2),
        line({
          ...{ id: 2, product_id: 2, name: 'Barista course voucher', sku: 'VOUCHER-BARISTA' },
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
      ...{ product_id: 8, quantity: 1 },
      options: { bundle_options: { 1: [1], 2: [2] }, gift_message: 'For Jonas' },
    },
    answer: cart(
      'ct_MJvutJbBpPAX8yy8OWfGRA1ac9vBeoYRAMK',
      [
        line({
          ...{ product_id: 8, name: 'Sunday gift box', sku: 'BOX-SUNDAY', unit_price: 66.8 },
          options: {
            ...{ bundle_option_qty: { 1: 1, 2: 1 }, bundle_options: { 1: [1], 2: [2] } },
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
      ...{ product_id: 9, quantity: 1 },
      options: { booking: { from: '2030-05-06T07:00:00Z', to: '2030-05-06T09:00:00Z' } },
    },
    answer: cart(EXAMPLE_BOOKING_CART, [serviceLine()], { totals: bookingTotals() }),
  },
});

type Of<Schemas> = Example<Schemas & { params: typeof CartParams; answer: typeof CartAnswer }>;

/** Examples of the Cart API. */
export const cartExamples = {
  create: (): Example<{ body: typeof CartCreate; answer: typeof CartAnswer }> => ({
    body: { currency: 'EUR' },
    answer: cart('ct_NQNjObz3s69K0v1TspxXYU13OMz0dt4C7RZ', [], { totals: totals({ subtotal: 0, tax: 0 }) }),
  }),
  read: (): Of<object> => ({ params: cartParams, answer: addressed() }),
  add: addExamples,
  change: (): Example<{
    params: typeof ItemParams;
    body: typeof ItemPatch;
    answer: typeof CartAnswer;
  }> => ({
    ...{ params: { id: 1 }, body: { cart_token: EXAMPLE_CART, quantity: 3 } },
    answer: cart(EXAMPLE_CART, withJersey(), { totals: totals({ subtotal: 105.7, tax: 14.36 }) }),
  }),
  remove: (): Example<{
    params: typeof ItemParams;
    query: typeof CartQuery;
    answer: typeof CartAnswer;
  }> => ({
    ...{ params: { id: 2 }, query: cartParams },
    answer: cart(EXAMPLE_CART, [espressoLine(3)], { totals: exampleTotals(), ...coupon() }),
  }),
  applyCoupon: (): Of<{ body: typeof CouponApply }> => ({
    ...{ params: cartParams, body: { code: 'WELCOME10' } },
    answer: cart(EXAMPLE_CART, withJersey(), {
      totals: totals({ subtotal: 105.7, tax: 12.92, discount: 10.57 }),
      ...coupon(),
    }),
  }),
  removeCoupon: (): Of<object> => ({
    params: cartParams,
    answer: cart(EXAMPLE_CART, withJersey(), { totals: totals({ subtotal: 105.7, tax: 14.36 }) }),
  }),
  setAddress: (): Of<{ body: typeof PostalAddressInput }> => ({
    ...{ params: cartParams, body: exampleAddress(), answer: addressed() },
  }),
};
