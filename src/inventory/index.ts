export { type Cause, deriveStock, type Move, moveStock } from './move.ts';
export {
  releaseCart,
  reservationById,
  sweepReservations,
  turnReservation,
} from './reservations.ts';
export { type Demand, HOLD, reserve, shortageOf, type Wanted } from './reserve.ts';
export { MAX_SKU, MAX_STOCK, StockChanged } from './schemas.ts';
export { beginSlots, itemsBySku, outcome, type StockItem, type Told, tellOfStock } from './store.ts';
export {
  type Derived,
  inventoryItems,
  POLICIES,
  type Policy,
  type Reservation,
  type ReservationStatus,
  slots,
  stockComponents,
  stockMovements,
} from './tables.ts';
