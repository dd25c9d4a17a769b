import { cartOperations } from './cart/operations.ts';
import { lookupCatalog } from './catalog/lookup.ts';
import { getProduct } from './catalog/product.ts';
import { searchCatalog } from './catalog/search.ts';
import { checkoutOperations } from './checkout/operations.ts';
import { orderOperations } from './orders/operations.ts';
import type { Operation } from './protocol/operation.ts';

/** Every operation of the protocol. REST routes and MCP tools are made from this table. */
export const operations: readonly Operation[] = [
  searchCatalog,
  lookupCatalog,
  getProduct,
  ...cartOperations,
  ...checkoutOperations,
  ...orderOperations,
];
