export { itemsBySku } from './adjustments/items.ts';
export { espressoSold } from './examples.ts';
export {
  DELETED_RETENTION_MS,
  forgetMovements,
  forgetReservations,
  forgetStock,
  forgetVariantStock,
  forgottenVariants,
} from './forget.ts';
export {
  componentStatements,
  deleteItems,
  type ItemFields,
  itemStatements,
  touchItems,
} from './item-statements.ts';
export { expireReservations } from './reservations/release.ts';
export { releaseSold, returnSold, type SoldUnits } from './reservations/return-sold.ts';
export { isOfDemands, shortageOf } from './reservations/shortage.ts';
export { orderedReservation, reservationById, setReservationStatus } from './reservations/status-change.ts';
export { countSale, dueRankings, nextToRank, noteRanked } from './sales.ts';
export { KnownSku, MAX_SKU_LENGTH, MAX_STOCK, Sku, StockChanged } from './schemas.ts';
export { beginSlots, type SlotFields, slotStatements } from './slots.ts';
export { deriveStock, moveStock, newCause, type StockMove, type WriteCause } from './stock-moves.ts';
export {
  type Derived,
  POLICIES,
  type Policy,
  type Reservation,
  type ReservationStatus,
  type SlotPeriod,
  type StockDemand,
} from './tables.ts';
export { StockWriter } from './writer/stock-writer.ts';
export { releaseCart, reserve } from './writer/write-stock.ts';
