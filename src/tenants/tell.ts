import { now } from '../kernel/clock.ts';
import { database } from '../kernel/database.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { leftBehind } from './store.ts';

const objectOf = (env: Env, tenantId: number) => env.TENANT.getByName(String(tenantId));

/** Asks `attempt` up to three times; answers whether one of them worked. */
async function insist(attempt: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      await attempt();
      return true;
    } catch {
      // A new stub is taken for the next try; a broken one stays broken.
    }
  }
  return false;
}

/**
 * Makes a change of a tenant hold everywhere within two seconds. `unavailable` when its object can't be
 * told: the change is in D1 and will hold half a minute later, but the caller must not rely on it yet.
 */
export async function tenantChanged(env: Env, tenantId: number): Promise<Result<void>> {
  const told = await insist(() => objectOf(env, tenantId).reload(tenantId));
  return told ? ok(undefined) : fail('unavailable');
}

/** Makes a write to the catalogue visible everywhere within two seconds. */
export async function catalogMoved(env: Env, tenantId: number, version: number): Promise<void> {
  const told = await insist(() => objectOf(env, tenantId).catalogMoved(version));
  if (!told) console.warn(JSON.stringify({ event: 'tenant_not_told', tenant: tenantId }));
}

/** Makes a movement of stock visible everywhere within ten seconds. */
export async function stockMoved(env: Env, tenantId: number): Promise<void> {
  const told = await insist(() => objectOf(env, tenantId).stockMoved(tenantId));
  if (!told) console.warn(JSON.stringify({ event: 'tenant_not_told', tenant: tenantId }));
}

/** For the minute's cron: moves on tenants whose stock moved while their object could not be told. */
export async function sweepStock(env: Env): Promise<void> {
  for (const { id } of await leftBehind(database(env), now() - 15_000)) await stockMoved(env, id);
}
