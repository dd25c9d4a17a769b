export { bindCart, forgetOwner } from './bind.ts';
export { cartAt } from './desk.ts';
export { Cart } from './object.ts';
export type { CartOwner } from './owner.ts';
export type {
  CartDesk,
  CartSnapshot,
  CartStanding,
  DownloadLink,
  Owned,
  SnapshotLine,
} from './snapshot.ts';
export { cartToken, readCartToken } from './token.ts';
