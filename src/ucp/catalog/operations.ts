import type { Operation } from '../protocol/operation.ts';
import { lookupCatalog } from './lookup.ts';
import { getProduct } from './product.ts';
import { searchCatalog } from './search.ts';

/** The operations of the catalogue. */
export const catalogOperations: readonly Operation[] = [searchCatalog, lookupCatalog, getProduct];
