export { readDownloadToken } from './downloads.ts';
export { ordersOf, redactOrderEvents } from './erase.ts';
export { forgetAbandonedOrders } from './forget.ts';
export { chargePayment, namePayment, type PaymentName, postponeRefund } from './payments.ts';
export { type Placement, placeOrder } from './place-order.ts';
export { presentOrder } from './present.ts';
export { Order, OrderList, OrderParams } from './schemas.ts';
export {
  claimDueOrders,
  claimDueRefunds,
  extendDeadline,
  fileOf,
  forgetCustomer,
  linesOf,
  markNotified,
  type OrderStanding,
  orderById,
  orderRow,
  orderStanding,
  pendingNotifications,
  type StoredOrder,
  type WholeOrder,
} from './store.ts';
export {
  type CancelReason,
  EXTERNAL,
  ORDER_STATUSES,
  type OrderLineRow,
  type OrderRow,
  type PaymentRow,
} from './tables.ts';
export {
  askRefund,
  cancelPending,
  markPaid,
  noteDeclined,
  noteRefunded,
  tooLateToPay,
} from './transitions.ts';
