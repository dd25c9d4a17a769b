export { advance, tick } from './advance.ts';
export { Tenant } from './object.ts';
export { PLAN_NAMES, PLANS, type Plan } from './plans.ts';
export {
  Currency,
  DEFAULT_SETTINGS,
  Secrets,
  SecretsPatch,
  Settings,
  SettingsPatch,
  SlugParam,
  Tenant as TenantAnswer,
  TenantCreate,
  TenantPatch,
} from './schemas.ts';
export { overrideName, readSecrets, secretNames, writeSecrets } from './secrets.ts';
export {
  createTenant,
  listTenants,
  patchTenant,
  presentTenant,
  type TenantState,
  tenantById,
  tenantBySlug,
} from './store.ts';
export { type TenantRow, tenants } from './tables.ts';
export { catalogMoved, type Moved, movedTo, sweepStock, tenantChanged } from './tell.ts';
