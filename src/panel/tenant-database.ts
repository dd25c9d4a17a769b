import { database } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { PageRequest } from '../web/index.ts';

/** Returns the database of the request's tenant. */
export const tenantDatabase = ({ env, tenant }: Pick<PageRequest, 'env' | 'tenant'>): TenantDatabase => ({
  db: database(env, tenant.id),
  tenantId: tenant.id,
});
