export { beginSlots, itemsBySku } from './adjustments.ts';
export { espressoSold } from './examples.ts';
export { forgetMovements, forgetReservations, forgetStock } from './forget.ts';
export { HOLD_MS } from './hold-time.ts';
export {
  componentStatements,
  deleteItems,
  type ItemFields,
  itemStatements,
  slotStatements,
} from './item-statements.ts';
export { expireReservations, releaseCart } from './release.ts';
export { reservationById, setReservationStatus } from './reservations.ts';
export { reserve, type StockDemand, shortageOf } from './reserve.ts';
export { MAX_SKU_LENGTH, MAX_STOCK, StockChanged } from './schemas.ts';
export { deriveStock, moveStock, newCause, type StockMove, type WriteCause } from './stock-moves.ts';
export { type Derived, POLICIES, type Policy, type Reservation, type ReservationStatus } from './tables.ts';
