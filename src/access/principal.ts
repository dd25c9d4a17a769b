import type { Feature, Scope } from '../kernel/core/scopes.ts';
import type { Caller } from '../kernel/http/context.ts';
import { learnShard } from '../kernel/shards/shard-map.ts';
import type { ShardName } from '../kernel/shards/shard-names.ts';
import { PLANS, type TenantState } from '../tenants/index.ts';
import type { ApplicationRow } from './tables.ts';

/** Who a token is and what it may do. Plain data, because the limiter sends it to isolates by RPC. */
export interface Principal {
  readonly tenantId: number;
  readonly applicationId: number;
  readonly suspended: boolean;
  readonly serverSide: boolean;
  /** The profile that an agent's token is bound to; null for other kinds. */
  readonly agentProfile: string | null;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly features: readonly Feature[];
  readonly limit: number;
  readonly registrationsPerMinute: number;
  readonly currency: string;
  readonly currencies: readonly string[];
  readonly catalogVersion: number;
  readonly bookmark: string | null;
  /** Where the tenant's rows are. */
  readonly shard: ShardName;
}

/** Returns the principal of an application and its tenant. */
export function principalOf(application: ApplicationRow, tenant: TenantState): Principal {
  const plan = PLANS[tenant.plan];
  return {
    tenantId: tenant.id,
    applicationId: application.id,
    suspended: tenant.status === 'suspended',
    serverSide: application.serverSide,
    agentProfile: application.agentProfile,
    scopes: application.scopes,
    origins: application.allowedOrigins,
    features: plan.features,
    limit: Math.min(application.rateLimitPerMinute ?? plan.requestsPerMinute, plan.requestsPerMinute),
    registrationsPerMinute: plan.registrationsPerMinute,
    currency: tenant.currency,
    currencies: tenant.currencies,
    catalogVersion: tenant.catalogVersion,
    bookmark: tenant.bookmark,
    shard: tenant.shard,
  };
}

const callers = new WeakMap<Principal, Caller>();

/** Returns the caller that handlers receive, and learns its shard. All requests of a lease share one object. */
export function callerOf(principal: Principal): Caller {
  const known = callers.get(principal);
  if (known) return known;
  learnShard(principal.tenantId, principal.shard);
  const caller = {
    tenantId: principal.tenantId,
    applicationId: principal.applicationId,
    serverSide: principal.serverSide,
    scopes: new Set(principal.scopes),
    features: new Set(principal.features),
    registrationsPerMinute: principal.registrationsPerMinute,
    currency: principal.currency,
    currencies: principal.currencies,
    catalogVersion: principal.catalogVersion,
    bookmark: principal.bookmark,
  };
  callers.set(principal, caller);
  return caller;
}
