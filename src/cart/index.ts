export { bindCart, forgetPerson } from './bind.ts';
export { cartAt } from './desk.ts';
export { Cart } from './object.ts';
export type { CartSnapshot, Owned, SnapshotLine } from './snapshot.ts';
export { cartToken, readCartToken } from './token.ts';
