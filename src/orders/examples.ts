import type { z } from '@hono/zod-openapi';
import type { Example } from '../kernel/openapi/example.ts';
import type { OrderBulkRequest, OrderBulkResult } from './bulk/schemas.ts';
import { amounts, coffee } from './example-sale.ts';
import { firstParcel, parcels, trackedParcel } from './fulfilments/examples.ts';
import { customerOrder } from './present.ts';
import type { Refund, RefundList } from './refunds/schemas.ts';
import type {
  CustomerOrder,
  CustomerOrderList,
  Order,
  OrderFulfilled,
  OrderList,
  OrderListQuery,
  OrderParams,
  OrderPatch,
  OrderRefunded,
  OrderTrackingChanged,
} from './schemas.ts';
import type { NoteCreate, OrderTimeline } from './timeline/schemas.ts';

/** The id of the example customer's order. */
export const EXAMPLE_ORDER = 'ord_dWpGATpRbUztzTHL6jafKTB5';

const home = () => ({
  country: 'DE',
  first_name: 'Mila',
  last_name: 'Hoffmann',
  line1: 'Oranienstraße 25',
  postal_code: '10999',
  city: 'Berlin',
});

/** The example customer's order: three bags of coffee, paid. */
export const paidOrder = (): Order => ({
  id: EXAMPLE_ORDER,
  number: 1001,
  status: 'paid',
  payment_status: 'paid',
  test: true,
  fulfilment_status: 'unfulfilled',
  items: [coffee()],
  ...amounts(),
  currency: 'EUR',
  coupon: 'WELCOME10',
  shipping_method: { id: 'standard', name: 'Parcel' },
  applied_promotions: [{ id: 1, name: 'WELCOME10', code: 'WELCOME10', amount: 2.67 }],
  customer: {
    id: 1,
    name: 'Mila Hoffmann',
    email: 'mila.hoffmann@example.com',
    phone: '+49 30 901821',
  },
  addresses: { shipping: home() },
  billing_address: null,
  note: 'Please grind it for espresso.',
  fulfilments: [],
  refunds: [],
  refund_due: 0,
  dispute: null,
  tags: [],
  archived_at: null,
  metadata: {},
  agent: null,
  cancel_reason: null,
  paid_at: '2026-11-23T11:52:20.918Z',
  cancelled_at: null,
  created_at: '2026-11-23T11:51:37.463Z',
  updated_at: '2026-11-23T11:52:20.918Z',
});

/** The example customer's order before its payment was reported. */
export const placedOrder = (): Order => ({
  ...paidOrder(),
  status: 'pending',
  payment_status: 'unpaid',
  paid_at: null,
  updated_at: '2026-11-23T11:51:37.463Z',
});

const meta = { page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null };
/** The order after it was booked in another system. */
const booked = (): Order => ({
  ...paidOrder(),
  metadata: { invoice: 'R-2026-0841' },
  tags: ['gift'],
  updated_at: '2026-11-23T11:58:03.377Z',
});
/** The order with a number of fulfilled pieces. */
const fulfilled = (pieces: number) => ({
  ...booked(),
  items: booked().items.map((item) => ({ ...item, fulfilled_quantity: pieces })),
});
/** The event of the first parcel. */
export const firstParcelSent = (): OrderFulfilled => ({
  ...fulfilled(2),
  fulfilment_status: 'partially_fulfilled',
  fulfilments: [firstParcel()],
  fulfilment: firstParcel(),
  updated_at: firstParcel().created_at,
});
/** The event of the second parcel's tracking. */
export const secondParcelTracked = (): OrderTrackingChanged => ({
  ...fulfilled(3),
  fulfilment_status: 'fulfilled',
  fulfilments: [firstParcel(), trackedParcel()],
  fulfilment: trackedParcel(),
  updated_at: trackedParcel().updated_at,
});
/** The order after both parcels. */
const shippedOrder = (): Order => ({
  ...fulfilled(3),
  fulfilment_status: 'fulfilled',
  fulfilments: parcels(),
  updated_at: '2026-11-26T13:02:19.006Z',
});

const by = { kind: 'application', id: '1' } as const;
/** The timeline of the order after both parcels. */
const story = (): OrderTimeline['data'] => {
  const [first, second] = parcels().map(({ id, items }) => ({ fulfilment_id: id, items }));
  const tracked = trackedParcel();
  const parcel = { changed: ['fulfilments'], fulfilment_id: tracked.id };
  return [
    { at: '2026-11-23T11:51:37.463Z', type: 'placed', by, details: {} },
    { at: '2026-11-23T11:52:20.918Z', type: 'paid', by, details: { provider: 'external' } },
    { at: '2026-11-23T11:58:03.377Z', type: 'edited', by, details: { changed: ['metadata', 'tags'] } },
    { at: '2026-11-24T08:15:02.114Z', type: 'fulfilled', by, details: { ...first } },
    { at: '2026-11-25T09:40:51.730Z', type: 'fulfilled', by, details: { ...second } },
    { at: tracked.updated_at, type: 'edited', by, details: { ...parcel, status: 'shipped' } },
    { at: '2026-11-26T13:02:19.006Z', type: 'edited', by, details: { ...parcel, status: 'delivered' } },
  ];
};

/** The refund of one of the bags. */
export const exampleRefund = (): Refund => ({
  id: 'ref_mC2rXw8VbQz5LkTd7YsN0eHa',
  status: 'succeeded',
  amount: 8.01,
  currency: 'EUR',
  reason: 'One bag arrived torn',
  items: [{ line_id: 1, quantity: 1, restock: false, shipped: true, amount: 8.01 }],
  shipping: 0,
  tax: 0.52,
  source: 'request',
  failure_reason: null,
  created_at: '2026-11-26T15:40:09.215Z',
  updated_at: '2026-11-26T15:40:09.215Z',
});
/** The order after this refund, as `order.refunded` reports it. */
export const refundedOrder = (): z.output<typeof OrderRefunded> => ({
  ...shippedOrder(),
  payment_status: 'partially_refunded',
  refunds: [exampleRefund()],
  updated_at: '2026-11-26T15:40:09.215Z',
  refund: exampleRefund(),
});

/** Examples of the endpoints that read orders. */
export const orderExamples = {
  list: (): Example<{ query: typeof OrderListQuery; answer: typeof OrderList }> => ({
    query: { payment_status: 'paid' },
    answer: { data: [paidOrder()], meta: { ...meta, next_updated_since: null } },
  }),
  get: (): Example<{ params: typeof OrderParams; answer: typeof Order }> => ({
    params: { id: EXAMPLE_ORDER },
    answer: paidOrder(),
  }),
  patch: (): Example<{ params: typeof OrderParams; body: typeof OrderPatch; answer: typeof Order }> => ({
    params: { id: EXAMPLE_ORDER },
    body: { metadata: { invoice: 'R-2026-0841' }, tags: ['gift'] },
    answer: booked(),
  }),
  timeline: (): Example<{ params: typeof OrderParams; answer: typeof OrderTimeline }> => ({
    params: { id: EXAMPLE_ORDER },
    answer: { data: story() },
  }),
  note: (): Example<{
    params: typeof OrderParams;
    body: typeof NoteCreate;
    answer: typeof OrderTimeline;
  }> => ({
    params: { id: EXAMPLE_ORDER },
    body: { text: 'Called: wants it gift-wrapped' },
    answer: {
      data: [
        ...story(),
        {
          at: '2026-11-26T16:05:44.120Z',
          type: 'noted',
          by,
          details: { text: 'Called: wants it gift-wrapped' },
        },
      ],
    },
  }),
  getMine: (): Example<{ params: typeof OrderParams; answer: typeof CustomerOrder }> => ({
    params: { id: EXAMPLE_ORDER },
    answer: customerOrder(shippedOrder()),
  }),
  mine: (): Example<{ answer: typeof CustomerOrderList }> => ({
    answer: { data: [customerOrder(shippedOrder())], meta },
  }),
  refunds: (): Example<{ params: typeof OrderParams; answer: typeof RefundList }> => ({
    params: { id: EXAMPLE_ORDER },
    answer: { data: [exampleRefund()] },
  }),
};

/** The example of a bulk change: one order is sent and put away, another one can't be. */
export const orderBulkExample = (): Example<{
  body: typeof OrderBulkRequest;
  answer: typeof OrderBulkResult;
}> => ({
  body: {
    ids: [EXAMPLE_ORDER, 'ord_pQ4sYbW9nKe7RtVz2XcM8aLd'],
    change: { fulfil: true, archived: true, add_tags: ['sent in March'] },
  },
  answer: {
    updated: 1,
    errors: [
      {
        id: 'ord_pQ4sYbW9nKe7RtVz2XcM8aLd',
        code: 'order_not_fulfillable',
        message: 'The order is pending; only a paid one can be fulfilled.',
      },
    ],
  },
});
