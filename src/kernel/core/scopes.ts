/** What a token may be allowed to do. */
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

/** Parts of the service that a plan may leave out. */
export type Feature = 'feed' | 'webhooks';

/** What a token, and its tenant's plan, must have to see or do something. */
export interface AccessRequirement {
  readonly scope: Scope;
  readonly feature?: Feature;
}
