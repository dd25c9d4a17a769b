export { type Download, readDownloadToken } from './downloads.ts';
export { namePayment, type PaymentName, postponeRefund } from './payments.ts';
export { type PlacedLine, type Placement, placeOrder } from './place.ts';
export { presentOrder } from './present.ts';
export { Order, OrderList, OrderListQuery, OrderParams } from './schemas.ts';
export { askRefund, cancelPending, markPaid, noteDeclined, noteRefunded } from './states.ts';
export {
  dueOrders,
  dueRefunds,
  fileOf,
  forgetCustomer,
  linesOf,
  listOrders,
  noticeTold,
  orderById,
  orderRow,
  pendingNotices,
  prolong,
  type StoredOrder,
  type WholeOrder,
} from './store.ts';
export {
  CANCEL_REASONS,
  type CancelReason,
  EXTERNAL,
  ORDER_STATUSES,
  type OrderLineRow,
  type OrderRow,
  type OrderStatus,
  type PaymentRow,
} from './tables.ts';
