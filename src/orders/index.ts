export { downloadUrl } from './downloads.ts';
export {
  claimDueOrders,
  claimDueRefunds,
  extendDeadline,
  markNotified,
  type OrderStatusUpdate,
  orderStanding,
  pendingNotifications,
} from './due.ts';
export { EXAMPLE_ORDER, paidOrder, placedOrder } from './examples.ts';
export { forgetAbandonedOrders, forgetCustomer, ordersOf, redactOrderEvents } from './forget.ts';
export { ordersOfPerson } from './orders-of-person.ts';
export { type PaymentReference, postponeRefund, setCharge, setReference } from './payments.ts';
export { type Placement, placeOrder } from './place-order.ts';
export { presentOrder } from './present.ts';
export { Order, OrderList, OrderParams } from './schemas.ts';
export { linesOf, type OrderWithPayments, orderById, orderRow, type StoredOrder } from './store.ts';
export {
  type CancelReason,
  EXTERNAL,
  ORDER_STATUSES,
  type OrderLineRow,
  type OrderRow,
  type PaymentRow,
} from './tables.ts';
export {
  cancelPending,
  markPaid,
  recordDeclined,
  recordRefunded,
  requestRefund,
  tooLateToPay,
} from './transitions.ts';
