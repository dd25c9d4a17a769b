import { type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';

/** The main database through drizzle; a batch of it is one transaction and one round trip. */
export type Database = DrizzleD1Database & { $client: D1Database };

/** One statement of a batch. */
export type Statement = BatchItem<'sqlite'>;

/**
 * Returns the main database. `primary` is the database itself, which sees every write; `nearest` is a session
 * that may read from a replica that lags behind, so who reads there compares the catalogue version it read.
 */
export function database(env: Env, from: 'primary' | 'nearest' = 'primary'): Database {
  // Not a `first-primary` session: only its first query goes to the primary, and a retry has to read what is new.
  if (from === 'primary') return drizzle(env.DB, OPTIONS);
  // A session has the two methods that the driver calls: prepare and batch.
  return drizzle(env.DB.withSession('first-unconstrained') as unknown as D1Database, OPTIONS);
}

const OPTIONS = { casing: 'snake_case' } as const;

/** Runs statements as one transaction; answers each statement's result, in order. */
export async function batch(db: Database, statements: readonly Statement[]): Promise<unknown[]> {
  const [first, ...rest] = statements;
  return first ? await db.batch([first, ...rest]) : [];
}

/** A statement written in SQL, for a batch. */
export const run = (db: Database, query: SQL) => prepared(db, db.run(query));

/** A query written in SQL, for a batch: its rows as objects keyed by column name. */
export const rows = <Row>(db: Database, query: SQL) => prepared(db, db.all<Row>(query));

/** drizzle 0.45 leaves raw statements unprepared, which a D1 batch of one with parameters needs. */
const prepared = <Raw extends { getQuery(): { sql: string } }>(db: Database, raw: Raw): Raw =>
  Object.assign(raw, { stmt: db.$client.prepare(raw.getQuery().sql) });

/** Selects the values of a list, which is one bound parameter: D1 allows a hundred. */
export const jsonList = (values: readonly (string | number)[]): SQL =>
  sql`SELECT value FROM json_each(${JSON.stringify(values)})`;

/** A statement that aborts its batch unless `condition` holds at that point of it. */
export const assertInBatch = (db: Database, condition: SQL): Statement =>
  run(db, sql`INSERT INTO guards (reason) SELECT 'broken' WHERE NOT (${condition})`);

/** A constraint that refused a batch: its kind and SQLite's name for it ("products.tenant_id, products.slug"). */
export interface Violation {
  readonly kind: 'unique' | 'check' | 'foreign';
  readonly name: string;
}

/** The constraint that an error tells of, or `null` when it is another kind of error. */
export function violation(error: unknown): Violation | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const match = /(UNIQUE|CHECK|FOREIGN KEY) constraint failed(?:: ([\w., ]+\w))?/.exec(cause.message);
    if (match?.[1] === 'UNIQUE') return { kind: 'unique', name: match[2] ?? '' };
    if (match?.[1] === 'CHECK') return { kind: 'check', name: match[2] ?? '' };
    if (match) return { kind: 'foreign', name: '' };
  }
  return null;
}

/** Whether a batch was refused by {@link assertInBatch}. */
export const guardFailed = (error: unknown): boolean => violation(error)?.name === 'guard_holds';

/** What D1 and Durable Objects say when they are busy, restarting or out of reach; a retry may find them well. */
const OUTAGE =
  /D1 DB|caused object to be reset|overloaded|Network connection lost|Durable Object|transient issue|internal error; reference|D1_ERROR: (?!.*SQLITE_)/i;

/** Whether an error tells of storage that can't be reached right now, rather than of a bug of ours. */
export function isOutage(error: unknown): boolean {
  if (violation(error)) return false;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (OUTAGE.test(cause.message) || ('retryable' in cause && cause.retryable === true)) return true;
  }
  return false;
}
