import {
  bookingTotals,
  discounted,
  EXAMPLE_BOOKING_CART,
  EXAMPLE_CART,
  espressoLine,
  exampleAddress,
  exampleShippingMethods,
  exampleTotals,
  parcel,
  serviceItem,
} from '../cart/index.ts';
import type { Example, NamedExamples } from '../kernel/openapi/example.ts';
import {
  EXAMPLE_ORDER,
  exampleRefund,
  type Order,
  type OrderParams,
  paidOrder,
  placedOrder,
  type Refund,
  type RefundCreate,
} from '../orders/index.ts';
import type {
  CheckoutSession,
  OrderCreate,
  PaymentReport,
  Seamless,
  SeamlessCreate,
  SessionParams,
} from './schemas.ts';

const SHOP = 'https://shop.example.com';
/** The `session` claims of the two redirect URLs below. */
const SESSION = 'ck_fPbnxqEqKyfWoFEoThe7TeCp4BJ2B0rJ1YFpDvLvll7Bn-1';
const BOOKING_SESSION = 'ck_YS3FaDFIYguxRUly3bCwRt8OiGyIYgWA1rR2gGV9DQxaO-1';
const REDIRECT = `${SHOP}/checkout?session_token=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2FwaS5leGFtcGxlLmNvbSIsImF1ZCI6ImthZmZlZS11bmQta2V0dGUiLCJzZXNzaW9uIjoiY2tfZlBibnhxRXFLeWZXb0ZFb1RoZTdUZUNwNEJKMkIwckoxWUZwRHZMdmxsN0JuLTEiLCJpYXQiOjE3OTUzNDU3NjcsImV4cCI6MTc5NTM0NzU2N30.9yL_Gumx_YobESzbfKAU9ZzjZlSdtn7qh2q728jTMbg`;
const BOOKING_REDIRECT = `${SHOP}/checkout?session_token=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2FwaS5leGFtcGxlLmNvbSIsImF1ZCI6ImthZmZlZS11bmQta2V0dGUiLCJzZXNzaW9uIjoiY2tfWVMzRmFERklZZ3V4UlVseTNiQ3dSdDhPaUd5SVlnV0ExclIyZ0dWOURReGFPLTEiLCJpYXQiOjE3OTUzNDU3NjcsImV4cCI6MTc5NTM0NzU2N30.lKdPMIy9IkavLgIgW_FHsdAT6dxHT6zeVIEA986q0f4`;

const buyer = () => ({
  name: 'Mila Hoffmann',
  email: 'mila.hoffmann@example.com',
  phone: '+49 30 901821',
});
const guest = () => ({ name: 'Jonas Weber', email: 'jonas.weber@example.com' });

const billing = () => ({
  country: 'DE',
  company: 'Weber Touren GmbH',
  first_name: 'Jonas',
  last_name: 'Weber',
  line1: 'Kastanienallee 7',
  postal_code: '10435',
  city: 'Berlin',
});

const bookedLine = () => {
  const { regular_price: _, ...line } = serviceItem();
  return { ...line, ships: false, fulfilled_quantity: 0, discount: 0, tax: 14.21, tax_rate_percent: 19 };
};

/** The guest's order: an appointment, not paid. */
const bookingOrder = (): Order => ({
  ...paidOrder(),
  id: 'ord_uLvwbGLT0pocYPwJyFclTMFh',
  number: 1002,
  status: 'pending',
  payment_status: 'unpaid',
  items: [bookedLine()],
  totals: bookingTotals(),
  tax_lines: [{ rate_percent: 19, net: 74.79, tax: 14.21 }],
  coupon: null,
  applied_promotions: [],
  shipping_method: null,
  customer: { id: null, ...guest(), phone: null },
  addresses: { shipping: { country: 'DE' } },
  billing_address: billing(),
  note: null,
  paid_at: null,
  created_at: '2026-11-23T12:03:11.629Z',
  updated_at: '2026-11-23T12:03:11.629Z',
});

/** The guest's order after the shop cancelled it. */
export const cancelledOrder = (): Order => ({
  ...bookingOrder(),
  status: 'cancelled',
  cancel_reason: 'tenant',
  cancelled_at: '2026-11-23T13:10:27.672Z',
  updated_at: '2026-11-23T13:10:27.672Z',
});

/** Examples of the endpoints from a cart to a paid order. */
export const checkoutExamples = {
  seamless: (): NamedExamples<{ body: typeof SeamlessCreate; answer: typeof Seamless }> => ({
    customer: {
      summary: "A customer's cart",
      body: { cart_token: EXAMPLE_CART, return_url: `${SHOP}/thanks`, cancel_url: `${SHOP}/cart` },
      answer: { redirect_url: REDIRECT },
    },
    guest: {
      summary: "A guest's cart",
      body: { cart_token: EXAMPLE_BOOKING_CART, return_url: `${SHOP}/thanks` },
      answer: { redirect_url: BOOKING_REDIRECT },
    },
  }),
  session: (): Example<{ params: typeof SessionParams; answer: typeof CheckoutSession }> => ({
    params: { id: SESSION },
    answer: {
      id: SESSION,
      status: 'open',
      items: [discounted(espressoLine(3))],
      totals: exampleTotals(),
      currency: 'EUR',
      coupon: 'WELCOME10',
      applied_promotions: [{ id: 1, name: 'WELCOME10', code: 'WELCOME10', amount: 2.67 }],
      shipping_method: parcel(4.9),
      shipping_methods: exampleShippingMethods(),
      customer: { id: 1, email: buyer().email },
      shipping_address: exampleAddress(),
      return_url: `${SHOP}/thanks`,
      cancel_url: `${SHOP}/cart`,
      order_id: null,
      expires_at: '2026-11-23T12:20:05.431Z',
    },
  }),
  place: (): NamedExamples<{ body: typeof OrderCreate; answer: typeof Order }> => ({
    customer: {
      summary: "A customer's order, sent to the address of the cart",
      body: { session: SESSION, customer: buyer(), note: 'Please grind it for espresso.' },
      answer: placedOrder(),
    },
    guest: {
      summary: "A guest's order",
      body: {
        session: BOOKING_SESSION,
        customer: guest(),
        shipping_address: { country: 'DE' },
        billing_address: billing(),
      },
      answer: bookingOrder(),
    },
  }),
  pay: (): Example<{ params: typeof OrderParams; body: typeof PaymentReport; answer: typeof Order }> => ({
    params: { id: EXAMPLE_ORDER },
    body: { status: 'paid', reference: 'pay_7Hq2Vd81' },
    answer: paidOrder(),
  }),
  refund: (): Example<{ params: typeof OrderParams; body: typeof RefundCreate; answer: typeof Refund }> => ({
    params: { id: EXAMPLE_ORDER },
    body: { items: [{ line_id: 1, quantity: 1, shipped: true }], reason: 'One bag arrived torn' },
    answer: exampleRefund(),
  }),
  cancel: (): Example<{ params: typeof OrderParams; answer: typeof Order }> => ({
    params: { id: bookingOrder().id },
    answer: cancelledOrder(),
  }),
};
