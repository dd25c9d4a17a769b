import { type SQL, sql } from 'drizzle-orm';
import { type Database, run, type Statement } from '../kernel/data/database.ts';
import { NAMES_PERSONS, outbox } from './tables.ts';

const about = (tenantId: number, resources: SQL): SQL =>
  sql`tenant_id = ${tenantId} AND ${sql.raw(NAMES_PERSONS)} AND resource IN (${resources})`;

/** Returns the ids of the tenant's events about these resources (a query of their names) that may name a person. */
export async function eventsOfPerson(db: Database, tenantId: number, resources: SQL): Promise<string[]> {
  const rows = await db.select({ id: outbox.id }).from(outbox).where(about(tenantId, resources));
  return rows.map(({ id }) => id);
}

/** The statement that gives events about these resources other data, made from `data` by an SQL expression. */
export const redactEvents = (db: Database, tenantId: number, resources: SQL, data: SQL): Statement =>
  run(db, sql`UPDATE outbox SET data = ${data} WHERE ${about(tenantId, resources)}`);
