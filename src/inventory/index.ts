export { forgetMovements, forgetReservations, forgetStock } from './forget.ts';
export { HOLD } from './hold-time.ts';
export { type Cause, deriveStock, type Move, moveStock } from './move.ts';
export { expireReservations, releaseCart } from './release.ts';
export { reservationById, turnReservation } from './reservations.ts';
export { type Demand, reserve, shortageOf } from './reserve.ts';
export { MAX_SKU, MAX_STOCK, StockChanged } from './schemas.ts';
export { beginSlots, itemsBySku, outcome, tellOfStock } from './store.ts';
export { type Derived, POLICIES, type Policy, type Reservation, type ReservationStatus } from './tables.ts';
