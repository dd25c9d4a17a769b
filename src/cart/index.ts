export { cartAt } from './desk.ts';
export { Cart } from './object.ts';
export type {
  Address,
  CartDesk,
  CartSnapshot,
  CartStanding,
  Demand,
  DownloadLink,
  SnapshotLine,
} from './snapshot.ts';
export { cartToken, readCartToken } from './token.ts';
