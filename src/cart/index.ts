export type {
  AgentCart,
  AgentContents,
  AgentLine,
  CartAgent,
  SubmittedCode,
} from './agent/agent-cart.ts';
export { isCancelled } from './agent/agent-cart.ts';
export { type CartNaming, cartName, type NamedCart, readCartName } from './agent/cart-names.ts';
export {
  createAgentCart,
  editAgentCart,
  type FoundAgentCart,
  keepAgentCart,
  readAgentCart,
} from './agent/client.ts';
export { type ResolvedAddition, resolveProducts } from './client/additions.ts';
export { cartToken, mergedInto, readCartToken } from './client/cart-id.ts';
export { checkoutPort } from './client/checkout-port.ts';
export { findCartCode } from './client/find-code.ts';
export { bindCart, forgetPerson } from './client/merge.ts';
export { cartOfPerson, type OwnedCart } from './client/personal-data.ts';
export { dumpCarts, restoreCart } from './client/transfer.ts';
export {
  abandonedCart,
  addressed as exampleCart,
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
} from './example-items.ts';
export { Cart } from './object/cart.ts';
export { CartAbandoned, CartAnswer } from './schemas.ts';
export { type CartSnapshot, promotionsOf, type SnapshotLine } from './snapshot.ts';
