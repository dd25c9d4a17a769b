export { MAX_BULK_ORDERS, OrderBulkResult } from './bulk/schemas.ts';
export { downloadUrl, readDownloadToken } from './downloads.ts';
export {
  EXAMPLE_ORDER,
  exampleRefund,
  firstParcelSent,
  paidOrder,
  placedOrder,
  refundedOrder,
  secondParcelTracked,
} from './examples.ts';
export {
  dataSubjectOf,
  forgetAbandonedOrders,
  forgetOrderBuyers,
  guestNotErased,
  guestOrder,
  isErased,
  notErased,
  ordersOf,
  redactOrderEvents,
  withoutCustomData,
} from './forget.ts';
export { endOf } from './fulfilments/present.ts';
export { leftToShip } from './fulfilments/quantities.ts';
export { Fulfilment } from './fulfilments/schemas.ts';
export { fulfilmentsOf } from './fulfilments/store.ts';
export {
  claimDueOrders,
  claimDueRefunds,
  extendDeadline,
  markNotified,
  type OrderStatusUpdate,
  pendingNotifications,
  readOrderStatus,
} from './lifecycle/due.ts';
export { buyerHasPaid, spentFor } from './lifecycle/first-order.ts';
export { type PaymentReference, setCharge, setReference } from './lifecycle/payments.ts';
export { type Placement, placeOrder } from './lifecycle/place-order.ts';
export { cancelPending, markPaid, recordDeclined, tooLateToPay } from './lifecycle/transitions.ts';
export { ordersOfPerson } from './orders-of-person.ts';
export { cancelledAt, presentOrder, promotionsOfOrder, sharesOfLine } from './present.ts';
export type { ProviderRefund, ProviderReport } from './provider-reports/adopt.ts';
export type { ProviderDispute } from './provider-reports/disputes.ts';
export {
  applyReport,
  failRefund,
  recordPartialRefund,
  refundOf,
  reversedRefunds,
} from './provider-reports/reconcile.ts';
export { recordRefunded, requestRefund } from './refunds/cancellation.ts';
export { createRefund } from './refunds/create-refund.ts';
export { requestedAmount } from './refunds/plan-refund.ts';
export { presentRefund } from './refunds/present.ts';
export { previewRefund, type RefundPreview } from './refunds/preview-refund.ts';
export { isPaidBack, leftOf, paymentOfOrder, refundsOfOrder } from './refunds/refundable.ts';
export { Refund, RefundCreate } from './refunds/schemas.ts';
export { postponeRefund } from './refunds/store.ts';
export type { RefundRow } from './refunds/tables.ts';
export {
  ORDER_SORTS,
  Order,
  OrderFulfilled,
  OrderList,
  OrderParams,
  OrderRefunded,
  OrderTrackingChanged,
} from './schemas.ts';
export {
  linesOf,
  type OrderWithPayments,
  orderById,
  orderOfCharge,
  orderRow,
  refundsOf,
  type StoredOrder,
  soldIn,
} from './store.ts';
export {
  type CancelReason,
  EXTERNAL,
  FULFILMENT_STATUSES,
  ORDER_STATUSES,
  type OrderLineRow,
  type OrderRow,
  PAYMENT_STATUSES,
  type PaymentRow,
} from './tables.ts';
export { presentEntry } from './timeline/present.ts';
export { OrderTimeline } from './timeline/schemas.ts';
export { timelinesOfPerson } from './timeline/store.ts';
