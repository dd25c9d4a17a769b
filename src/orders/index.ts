export { downloadUrl } from './downloads.ts';
export { EXAMPLE_ORDER, firstParcelSent, paidOrder, placedOrder } from './examples.ts';
export { forgetAbandonedOrders, forgetCustomer, ordersOf, redactOrderEvents } from './forget.ts';
export { Fulfilment } from './fulfilments/schemas.ts';
export { fulfilmentsOf } from './fulfilments/store.ts';
export {
  claimDueOrders,
  claimDueRefunds,
  extendDeadline,
  markNotified,
  type OrderStatusUpdate,
  orderStanding,
  pendingNotifications,
} from './lifecycle/due.ts';
export { buyerHasPaid, spentFor } from './lifecycle/first-order.ts';
export { type PaymentReference, postponeRefund, setCharge, setReference } from './lifecycle/payments.ts';
export { type Placement, placeOrder } from './lifecycle/place-order.ts';
export {
  cancelPending,
  markPaid,
  recordDeclined,
  recordRefunded,
  requestRefund,
  tooLateToPay,
} from './lifecycle/transitions.ts';
export { presentOrder, promotionsOfOrder, sharesOfLine } from './present.ts';
export { Order, OrderFulfilled, OrderList, OrderParams } from './schemas.ts';
export { linesOf, type OrderWithPayments, orderById, orderRow, type StoredOrder } from './store.ts';
export {
  type CancelReason,
  EXTERNAL,
  FULFILMENT_STATUSES,
  ORDER_STATUSES,
  type OrderLineRow,
  type OrderRow,
  type PaymentRow,
} from './tables.ts';
export { OrderTimeline } from './timeline/schemas.ts';
export { type TimelineEntry, timelineStatements } from './timeline/store.ts';
