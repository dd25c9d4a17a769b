/** The jurisdiction, by Cloudflare's name, in which all data of a tenant must stay. In types, null means anywhere. */
export type Jurisdiction = 'eu';

/** Tenants with ids from this one on are in the jurisdiction `eu`; those below it are in none. */
export const FIRST_EU_TENANT_ID = 1_000_000_000;

/**
 * Returns a tenant's jurisdiction. It is part of the id: it never changes, and follows from a token, a message or the
 * name of an object without a look-up.
 */
export const jurisdictionOf = (tenantId: number): Jurisdiction | null =>
  tenantId >= FIRST_EU_TENANT_ID ? 'eu' : null;

/** How an object is found and, by its first call, created. */
interface ObjectPlace {
  readonly tenantId: number;
  /** The object's name in its namespace; absent for the one object of a tenant, which its id names. */
  readonly name?: string;
  /** Where to create the object, if the jurisdiction leaves a choice. Of no effect on an object that exists. */
  readonly near?: DurableObjectLocationHint | null | undefined;
}

/**
 * Returns a stub of a tenant's object, in the tenant's jurisdiction. The only place that finds objects by name, so that
 * none can be created elsewhere.
 */
export function tenantObject<Class extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<Class>,
  { tenantId, name = String(tenantId), near }: ObjectPlace,
): DurableObjectStub<Class> {
  const jurisdiction = jurisdictionOf(tenantId);
  if (jurisdiction === null) return namespace.getByName(name, near ? { locationHint: near } : undefined);
  const isInside = near === 'weur' || near === 'eeur';
  return within(namespace, jurisdiction).getByName(name, isInside ? { locationHint: near } : undefined);
}

/** Returns the part of a namespace that is in a jurisdiction. */
function within<Class extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<Class>,
  jurisdiction: Jurisdiction,
): DurableObjectNamespace<Class> {
  try {
    return namespace.jurisdiction(jurisdiction);
  } catch (error) {
    // The local runtime of development and tests has no jurisdictions. Cloudflare's own never says this.
    if (error instanceof Error && error.message.includes('not implemented in workerd')) return namespace;
    throw error;
  }
}

/**
 * Returns whether all of these bindings are declared to be in a jurisdiction: `EU_BINDINGS` lists the databases and
 * buckets that were created in the EU, separated by spaces.
 */
export function areDeclaredIn(
  { EU_BINDINGS }: Pick<Env, 'EU_BINDINGS'>,
  jurisdiction: Jurisdiction | null,
  bindings: readonly string[],
): boolean {
  const declared = (EU_BINDINGS ?? '').split(/\s+/);
  return jurisdiction === null || bindings.every((name) => declared.includes(name));
}
