export type {
  Address,
  CartDesk,
  CartSnapshot,
  CartStanding,
  Demand,
  DownloadLink,
  SnapshotLine,
} from './snapshot.ts';
