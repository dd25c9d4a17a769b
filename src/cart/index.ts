export { cartToken, readCartToken } from './client/cart-id.ts';
export { checkoutPort } from './client/checkout-port.ts';
export { bindCart, forgetPerson } from './client/merge.ts';
export { Cart } from './object/cart.ts';
export type { CartOwnership, CartSnapshot, SnapshotLine } from './snapshot.ts';
