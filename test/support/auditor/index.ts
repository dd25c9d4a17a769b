/**
 * An auditor that reads all stores of a tenant, knowing nothing of what happened: what is stored must agree with
 * itself. An audit follows an hour of the cron, when all that was interrupted has been completed.
 */
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { database, namedBatch, rows } from '../../../src/kernel/data/database.ts';
import type { World } from '../world.ts';
import { cartFaults } from './carts.ts';
import { MONEY_RULES } from './money.ts';
import { ORDER_RULES } from './orders.ts';
import type { Fault, Rule } from './rule.ts';
import { searchFaults } from './search.ts';
import { STOCK_RULES } from './stock.ts';
import { UNFINISHED_RULES } from './unfinished.ts';
import { webhookFaults } from './webhooks.ts';

const RULES: readonly Rule[] = [...STOCK_RULES, ...ORDER_RULES, ...MONEY_RULES, ...UNFINISHED_RULES];

async function databaseFaults(tenantId: number, rules: readonly Rule[]): Promise<Fault[]> {
  const db = database(env, tenantId);
  const queries = rules.map(({ name, broken }) => [name, rows<object>(db, broken(tenantId))] as const);
  const found = await namedBatch(db, Object.fromEntries(queries));
  return Object.entries(found).flatMap(([rule, broken]) =>
    broken.length > 0 ? [{ rule, rows: broken }] : [],
  );
}

/** Returns what is inconsistent in what a tenant has stored. */
export async function auditTenant({ tenantId }: Pick<World, 'tenantId'>): Promise<Fault[]> {
  const faults = await Promise.all([databaseFaults(tenantId, RULES), cartFaults(tenantId)]);
  return faults.flat();
}

/** Returns what is inconsistent, search and webhooks included, in a shop whose queues are empty. */
export async function auditEverything(shop: Pick<World, 'tenantId'>): Promise<Fault[]> {
  const { tenantId } = shop;
  const parts = [auditTenant(shop), webhookFaults(tenantId), searchFaults(tenantId)];
  return (await Promise.all(parts)).flat();
}

/** Fails the test unless all that a tenant has stored agrees. */
export async function expectConsistent(shop: Pick<World, 'tenantId'>): Promise<void> {
  const faults = await auditTenant(shop);
  expect(faults, JSON.stringify(faults, null, 2)).toEqual([]);
}

/** Fails the test unless the money of a tenant's orders adds up, whatever is still under way. */
export async function expectMoneyToAddUp({ tenantId }: Pick<World, 'tenantId'>): Promise<void> {
  const faults = await databaseFaults(tenantId, MONEY_RULES);
  expect(faults, JSON.stringify(faults, null, 2)).toEqual([]);
}
