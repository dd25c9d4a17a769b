export { type Cause, type Move, moveStock } from './move.ts';
export { MAX_STOCK } from './schemas.ts';
export { beginSlots, itemsBySku, outcome, type StockItem, type Told, tellOfStock } from './store.ts';
export {
  type Derived,
  inventoryItems,
  POLICIES,
  type Policy,
  slots,
  stockComponents,
  stockMovements,
} from './tables.ts';
