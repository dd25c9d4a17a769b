import {
  type Runtime,
  type TenantContext,
  type TenantDatabase,
  tenantContext,
} from '../kernel/data/tenant-context.ts';
import type { Currencies } from '../kernel/values/money.ts';

/** A tenant's database, and the currencies of its catalogue. */
export interface CatalogDatabase extends TenantDatabase, Currencies {}

/** The currency in which prices are presented, and the tenant's main one. */
export interface ShownCurrency {
  readonly currency: string;
  readonly mainCurrency: string;
}

/** What a change of a tenant's catalogue runs with. */
export interface CatalogContext extends TenantContext, Currencies {}

/** Returns the context of changes to the catalogue of a tenant, such as the caller. */
export const catalogContext = (
  runtime: Runtime,
  { tenantId, currency, currencies }: Currencies & { readonly tenantId: number },
): CatalogContext => ({ ...tenantContext(runtime, tenantId), currency, currencies });
