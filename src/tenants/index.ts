export { advanceClock, advanceStockClock, advanceVersion, clockTick } from './clock.ts';
export { endCreations, isAvailable, settleClaims, shardsIn } from './directory/create.ts';
export { type BackgroundWork, backgroundWork } from './object/background-work.ts';
export { announceEvents, waitForEvents } from './object/event-signal.ts';
export {
  announceMove,
  type CatalogPosition,
  cachedTenant,
  catalogPosition,
  expectSwitch,
  followStock,
  notifyCatalogMoved,
  rememberShard,
  versionOf,
} from './object/notify.ts';
export { type CachedTenant, type CatalogMove, Tenant } from './object/tenant.ts';
export {
  formatQuota,
  includesUcp,
  includesWebhooks,
  PLAN_NAMES,
  PLANS,
  type Plan,
  QUOTA_NAMES,
  QUOTAS,
  type Quota,
} from './plans.ts';
export { isOverQuota, quotaExceeded, quotaLeft, quotasUsed, quotaUsed, withinQuota } from './quotas.ts';
export { Secrets, Settings, SlugParam, Tenant as TenantAnswer } from './schemas.ts';
export { readSecrets, secretNames } from './secrets.ts';
export { lowStockOf, lowStockThreshold, MAX_LOW_STOCK } from './settings/low-stock.ts';
export { productTemplate, storefrontUrl } from './settings/ucp.ts';
export {
  requireTenant,
  type TenantState,
  tenantByHost,
  tenantBySlug,
  tenantQuery,
  tenantWithId,
} from './store.ts';
export { type TenantRow, tenants } from './tables.ts';
