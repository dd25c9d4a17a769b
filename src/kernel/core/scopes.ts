/** The scopes that an application token can have. */
export const SCOPES = [
  'catalog:read',
  'catalog:write',
  'inventory:write',
  'cart:read',
  'cart:write',
  'customers:write',
  'customers:admin',
  'checkout:write',
  'theme:read',
  'theme:write',
  'feed:read',
  'webhooks:read',
  'webhooks:write',
  'orders:read',
  'orders:write',
  'coupons:write',
  'settings:read',
  'settings:write',
] as const;

/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/** Features that a plan may exclude. */
export type Feature = 'feed' | 'webhooks' | 'ucp';

/** The scope that a token needs and the feature that its tenant's plan must include. */
export interface AccessRequirement {
  readonly scope: Scope;
  readonly feature?: Feature;
}
