export { cartToken, readCartToken } from './client/cart-id.ts';
export { checkoutPort } from './client/checkout-port.ts';
export { bindCart, forgetPerson } from './client/merge.ts';
export {
  abandonedCart,
  bookingTotals,
  EXAMPLE_BOOKING_CART,
  EXAMPLE_CART,
  espressoLine,
  exampleAddress,
  exampleShippingMethods,
  exampleTotals,
  parcel,
  serviceLine,
} from './example-items.ts';
export { Cart } from './object/cart.ts';
export { CartAbandoned } from './schemas.ts';
export type { CartOwnership, CartSnapshot, CheckoutPort, OrderNotice, SnapshotLine } from './snapshot.ts';
