import type { Actor } from '../core/actor.ts';
import { type Database, database } from './database.ts';

/** What background work runs with: bindings, plus `waitUntil`. */
export interface Runtime {
  readonly env: Env;
  readonly ctx: Pick<ExecutionContext, 'waitUntil'>;
}

/** A tenant and the database that holds its rows: the first parameter of every query and statement. */
export interface TenantDatabase {
  readonly tenantId: number;
  readonly db: Database;
}

/** What an action on one tenant's data runs with: its first parameter. */
export interface TenantContext extends Runtime, TenantDatabase {
  /** Who acts; absent for the service itself. */
  readonly actor?: Actor;
  /** Where to create the objects that the caller will use; absent for background work, null if unknown. */
  readonly near?: DurableObjectLocationHint | null;
}

/** Returns the context of actions on a tenant, by `actor` or the service itself. */
export const tenantContext = ({ env, ctx }: Runtime, tenantId: number, actor?: Actor): TenantContext => ({
  env,
  ctx,
  tenantId,
  db: database(env, tenantId),
  ...(actor && { actor }),
});
