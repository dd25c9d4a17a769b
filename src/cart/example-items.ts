import type { z } from '@hono/zod-openapi';
import type { PostalAddress } from '../kernel/values/postal-address.ts';
import type { LineItem, Totals } from '../pricing/index.ts';
import type { CartAbandoned, CartAnswer, CartItem, ShippingMethodList } from './schemas.ts';

type Line = z.output<typeof LineItem>;
type Item = z.output<typeof CartItem>;

/** The token of the cart that the example customer buys. */
export const EXAMPLE_CART = 'ct_N10B6qbuLzvFcayig7gAzw1KY4Sa7Pyqr2w';
/** The token of the cart with a booking. */
export const EXAMPLE_BOOKING_CART = 'ct_mCYyIZuElGNua78SSCvMdE1t8UmbrZ8TIDC';

/** Returns totals of prices that include tax, from the amounts that differ. */
export const totals = ({
  subtotal,
  tax,
  shipping = 0,
  discount = 0,
}: Pick<Totals, 'subtotal' | 'tax'> & Partial<Pick<Totals, 'shipping' | 'discount'>>): Totals => ({
  subtotal,
  tax,
  shipping,
  discount,
  subtotal_after_discount: Number((subtotal - discount).toFixed(2)),
  grand_total: Number((subtotal + shipping - discount).toFixed(2)),
  tax_included: true,
});
const SHIPPED: readonly Item['type'][] = ['simple', 'configurable', 'bundled'];
/** Returns the cheapest shipping method of the example shop at a price. */
export const parcel = (price: number) => ({ id: 'standard', name: 'Parcel', price });

/** The shipping methods of the example customer's cart. */
export const exampleShippingMethods = (): ShippingMethodList['data'] => [
  { ...parcel(4.9), description: null, min_days: 2, max_days: 4, selected: true },
  {
    id: 'express',
    name: 'Express',
    description: 'Delivered before noon',
    price: 9.9,
    min_days: 1,
    max_days: 1,
    selected: false,
  },
];

/** Returns a cart of these line items. */
export const cart = (
  cart_token: string,
  items: Item[],
  more: Pick<CartAnswer, 'totals'> & Partial<CartAnswer>,
): CartAnswer => ({
  cart_token,
  items,
  total_quantity: items.reduce((sum, { quantity }) => sum + quantity, 0),
  currency: 'EUR',
  status: 'open',
  warnings: [],
  metadata: {},
  coupons: [],
  applied_promotions: [],
  shipping_method: items.some(({ type }) => SHIPPED.includes(type)) ? parcel(more.totals.shipping) : null,
  ...more,
});
/** Returns a line item, simple unless it says otherwise. */
export const item = (
  fields: Pick<Item, 'product_id' | 'name' | 'slug' | 'sku' | 'unit_price'> & Partial<Item>,
): Item => ({
  id: 1,
  variant_id: null,
  options: {},
  quantity: 1,
  image: null,
  type: 'simple',
  selected: [],
  discounts: [],
  regular_price: null,
  ...fields,
  ...amounts(fields),
});

/** Returns what a line item comes to, at the example shop's standard rate unless it has one. */
function amounts(item: Pick<Item, 'unit_price'> & Partial<Pick<Item, 'quantity' | 'tax_rate_percent'>>) {
  const { unit_price, quantity = 1, tax_rate_percent = 19 } = item;
  const total = Number((unit_price * quantity).toFixed(2));
  return { total, tax: taxIn(total, tax_rate_percent), tax_rate_percent };
}
const taxIn = (price: number, percent: number): number =>
  Number(((price * percent) / (100 + percent)).toFixed(2));

const image = (name: string): string => `https://shop.example.com/images/${name}.jpg`;

/** A line item of coffee, which the example shop sells at 8.90 EUR. */
export const espressoItem = (quantity: number): Item =>
  item({
    product_id: 1,
    name: 'Espresso Kreuzberg 250 g',
    slug: 'espresso-kreuzberg-250-g',
    image: image('espresso'),
    sku: 'ESP-250',
    quantity,
    unit_price: 8.9,
    regular_price: 11.9,
    tax_rate_percent: 7,
  });
const APPOINTMENT = { from: '2030-05-06T07:00:00.000Z', to: '2030-05-06T09:00:00.000Z' };
/** A line item with an appointment in the example shop's workshop. */
export const serviceItem = (): Item =>
  item({
    product_id: 9,
    name: 'Full bike service',
    slug: 'full-bike-service',
    sku: 'SERVICE-FULL',
    type: 'booking',
    unit_price: 89,
    options: { booking: APPOINTMENT },
    selected: [
      { name: 'From', value: APPOINTMENT.from, timezone: 'Europe/Berlin' },
      { name: 'To', value: APPOINTMENT.to, timezone: 'Europe/Berlin' },
    ],
  });
/** A line item of a jersey in one of its sizes. */
export const jerseyItem = (): Item =>
  item({
    id: 2,
    product_id: 3,
    variant_id: 4,
    name: 'Merino jersey',
    slug: 'merino-jersey',
    image: image('jersey'),
    type: 'configurable',
    sku: 'JERSEY-M',
    unit_price: 79,
    options: { attributes: { colour: 'Forest', size: 'M' }, variant_id: 4 },
    selected: [
      { name: 'size', value: 'M' },
      { name: 'colour', value: 'Forest' },
    ],
  });

/** A line of coffee in a checkout. */
export function espressoLine(quantity: number): Line {
  const { slug, image, type, selected, regular_price, tax, tax_rate_percent, ...line } =
    espressoItem(quantity);
  return line;
}

/** The totals of the cart that the example customer buys: three bags of coffee less 10 %. */
export const exampleTotals = (): Totals =>
  totals({ subtotal: 26.7, tax: 1.57, shipping: 4.9, discount: 2.67 });
/** The totals of the cart with a booking. */
export const bookingTotals = (): Totals => totals({ subtotal: 89, tax: 14.21 });
/** The example customer's address. */
export const exampleAddress = (): PostalAddress => ({
  country: 'DE',
  first_name: 'Mila',
  last_name: 'Hoffmann',
  line1: 'Oranienstraße 25',
  postal_code: '10999',
  city: 'Berlin',
});

/** The coupon of the example shop, which deducts `amount` from a cart. */
export const coupon = (amount = 2.67) => ({
  coupon: { code: 'WELCOME10', applies: true },
  coupons: [{ code: 'WELCOME10', applies: true }],
  applied_promotions: [{ id: 1, name: 'WELCOME10', code: 'WELCOME10', amount }],
});
/** Returns a line item less the part of the coupon's discount that it gets: 10 %. */
export function discounted<
  T extends Pick<Line, 'total' | 'discounts'> & Partial<Pick<Item, 'tax_rate_percent'>>,
>(line: T): T {
  const amount = Number((line.total / 10).toFixed(2));
  const { tax_rate_percent: rate } = line;
  return {
    ...line,
    discounts: [{ promotion_id: 1, amount }],
    ...(rate !== undefined && { tax: taxIn(line.total - amount, rate) }),
  };
}
/** The items of a cart after a jersey was added, and that cart with its shipping address and coupon. */
export const withJersey = () => [espressoItem(3), jerseyItem()];
export const addressed = (): CartAnswer =>
  cart(EXAMPLE_CART, [discounted(espressoItem(3))], {
    totals: exampleTotals(),
    ...coupon(),
    shipping_address: exampleAddress(),
    email: 'mila.hoffmann@example.com',
  });

/** The example shop's event of a cart that was left. */
export const abandonedCart = (): CartAbandoned => {
  const { items, total_quantity, totals, currency, metadata } = addressed();
  return {
    cart_token: EXAMPLE_CART,
    customer_id: 1,
    email: 'mila.hoffmann@example.com',
    items,
    total_quantity,
    totals,
    currency,
    metadata,
    created_at: '2026-11-23T10:21:07.402Z',
    updated_at: '2026-11-23T10:52:20.118Z',
  };
};
