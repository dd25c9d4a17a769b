import type { Feature, Scope } from '../kernel/core/scopes.ts';
import type { Caller } from '../kernel/http/context.ts';
import { PLANS, type TenantState } from '../tenants/index.ts';
import type { ApplicationRow } from './tables.ts';

/** What a lease says of its holder: plain data, so that it can cross from the limiter to the isolate. */
export interface Principal {
  readonly tenantId: number;
  readonly applicationId: number;
  readonly suspended: boolean;
  readonly serverSide: boolean;
  readonly scopes: readonly Scope[];
  readonly origins: readonly string[];
  readonly features: readonly Feature[];
  readonly limit: number;
  readonly registrationsPerMinute: number;
  readonly currency: string;
  readonly currencies: readonly string[];
  readonly catalogVersion: number;
}

/** The facts of an application and its tenant, as they are now. */
export function principalOf(application: ApplicationRow, tenant: TenantState): Principal {
  const plan = PLANS[tenant.plan];
  return {
    tenantId: tenant.id,
    applicationId: application.id,
    suspended: tenant.status === 'suspended',
    serverSide: application.serverSide,
    scopes: application.scopes,
    origins: application.allowedOrigins,
    features: plan.features,
    limit: Math.min(application.rateLimitPerMinute ?? plan.requestsPerMinute, plan.requestsPerMinute),
    registrationsPerMinute: plan.registrationsPerMinute,
    currency: tenant.currency,
    currencies: tenant.currencies,
    catalogVersion: tenant.catalogVersion,
  };
}

const callers = new WeakMap<Principal, Caller>();

/** The caller that handlers see: the same for all requests of a lease. */
export function callerOf(facts: Principal): Caller {
  const known = callers.get(facts);
  if (known) return known;
  const caller = {
    tenantId: facts.tenantId,
    applicationId: facts.applicationId,
    serverSide: facts.serverSide,
    scopes: new Set(facts.scopes),
    features: new Set(facts.features),
    registrationsPerMinute: facts.registrationsPerMinute,
    currency: facts.currency,
    currencies: facts.currencies,
    catalogVersion: facts.catalogVersion,
  };
  callers.set(facts, caller);
  return caller;
}
