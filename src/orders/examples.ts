import type { Example } from '../kernel/openapi/example.ts';
import type {
  CustomerOrderList,
  Order,
  OrderList,
  OrderListQuery,
  OrderParams,
  OrderPatch,
} from './schemas.ts';

/** The id of the example customer's order. */
export const EXAMPLE_ORDER = 'ord_dWpGATpRbUztzTHL6jafKTB5';

/** The example customer's order: three bags of coffee, paid. */
export const paidOrder = (): Order => ({
  ...{ id: EXAMPLE_ORDER, number: 1001, status: 'paid', payment_status: 'paid', test: true },
  items: [
    {
      ...{ id: 1, product_id: 1, variant_id: null, sku: 'ESP-250', name: 'Espresso Kreuzberg 250 g' },
      ...{ options: {}, quantity: 3, unit_price: 8.9, total: 26.7, discount: 2.67, tax: 1.57 },
    },
  ],
  totals: {
    ...{ subtotal: 26.7, tax: 1.57, shipping: 4.9, discount: 2.67, grand_total: 28.93 },
    ...{ subtotal_after_discount: 24.03, tax_included: true },
  },
  ...{ currency: 'EUR', coupon: 'WELCOME10', shipping_method: { id: 'standard', name: 'Parcel' } },
  customer: {
    ...{ id: 1, name: 'Mila Hoffmann', email: 'mila.hoffmann@example.com', phone: '+49 30 901821' },
  },
  addresses: {
    shipping: {
      ...{ country: 'DE', first_name: 'Mila', last_name: 'Hoffmann' },
      ...{ line1: 'Oranienstraße 25', postal_code: '10999', city: 'Berlin' },
    },
  },
  metadata: {},
  ...{ cancel_reason: null, created_at: '2026-11-23T11:51:37.463Z', updated_at: '2026-11-23T11:52:20.918Z' },
});

/** The example customer's order before its payment was reported. */
export const placedOrder = (): Order => ({
  ...{ ...paidOrder(), status: 'pending', payment_status: 'unpaid' },
  updated_at: '2026-11-23T11:51:37.463Z',
});

const meta = { page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null };
/** The order as its customer sees it. */
const ownOrder = () => {
  const { metadata: _, ...order } = paidOrder();
  return order;
};
/** The order after it was booked in another system. */
const booked = (): Order => ({
  ...{ ...paidOrder(), metadata: { invoice: 'R-2026-0841' }, updated_at: '2026-11-23T11:58:03.377Z' },
});

/** Examples of the endpoints that read orders. */
export const orderExamples = {
  list: (): Example<{ query: typeof OrderListQuery; answer: typeof OrderList }> => ({
    query: { payment_status: 'paid' },
    answer: { data: [paidOrder()], meta },
  }),
  get: (): Example<{ params: typeof OrderParams; answer: typeof Order }> => ({
    params: { id: EXAMPLE_ORDER },
    answer: paidOrder(),
  }),
  patch: (): Example<{ params: typeof OrderParams; body: typeof OrderPatch; answer: typeof Order }> => ({
    params: { id: EXAMPLE_ORDER },
    body: { metadata: { invoice: 'R-2026-0841' } },
    answer: booked(),
  }),
  mine: (): Example<{ answer: typeof CustomerOrderList }> => ({ answer: { data: [ownOrder()], meta } }),
};
