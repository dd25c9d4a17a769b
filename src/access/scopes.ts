import { SCOPES, type Scope } from '../kernel/core/scopes.ts';
import type { Kind } from './tables.ts';

const SHOPPING: readonly Scope[] = [
  'catalog:read',
  'cart:read',
  'cart:write',
  'customers:write',
  'checkout:write',
  'theme:read',
];

/** What an application of each kind may do unless it is told otherwise. */
export const DEFAULT_SCOPES: Readonly<Record<Kind, readonly Scope[]>> = {
  storefront: SHOPPING,
  mobile: SHOPPING,
  integration: SCOPES,
};
