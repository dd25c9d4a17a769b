import { SCOPES, type Scope } from '../kernel/core/scopes.ts';
import type { Kind } from './tables.ts';

const SHOPPER_SCOPES: readonly Scope[] = [
  'catalog:read',
  'cart:read',
  'cart:write',
  'customers:write',
  'checkout:write',
  'theme:read',
];

/** Default scopes by kind of application. */
export const DEFAULT_SCOPES: Readonly<Record<Kind, readonly Scope[]>> = {
  storefront: SHOPPER_SCOPES,
  mobile: SHOPPER_SCOPES,
  integration: SCOPES,
  // It calls `/ucp`, which asks for the kind and not for scopes.
  agent: [],
};
