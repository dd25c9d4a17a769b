import { type Column, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { DrizzleD1Database, SQLiteD1Session } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { slicesBySize } from '../core/lists.ts';
import { tenantBinding } from '../shards/routed-database.ts';
import { type ShardName, shardBinding } from '../shards/shard-names.ts';
import { isMoving } from './fences.ts';

/** The main database through drizzle. A batch is one transaction and one round trip. */
export type Database = DrizzleD1Database & { $client: D1Database };

/** One statement of a batch. */
export type Statement = BatchItem<'sqlite'>;

/** Returns the platform's database: where each tenant is, panel users, and what belongs to no tenant. */
export const directory = (env: Env): Database => databaseAt(env.DB);

/**
 * The SQL dialect that all connections share. It caches the names of columns, which a dialect for each connection
 * would convert again.
 */
const DIALECT = new SQLiteAsyncDialect({ casing: 'snake_case' });

/** Returns a binding through drizzle. */
export const databaseAt = (bound: D1Database): Database => {
  const session = new SQLiteD1Session<Record<string, never>, Record<string, never>>(
    bound,
    DIALECT,
    undefined,
  );
  return Object.assign(new DrizzleD1Database('async', DIALECT, session, undefined), { $client: bound });
};

/** Returns a shard's database, for work on the rows of all of its tenants. */
export const shardDatabase = (env: Env, shard: ShardName): Database =>
  databaseAt(shardBinding(env, shard, 'rows'));

/** A position in a D1 database's history (a bookmark of its sessions). */
export type Bookmark = string;

/** Where to read: at the primary, or nearby in a session that has at least what was committed at a bookmark. */
export type ReadFrom = 'primary' | { readonly since: Bookmark | null };

/**
 * Returns the database that holds a tenant's rows. `primary` sees every write. Otherwise a replica may serve the
 * reads: it waits until it has reached the bookmark. Without one it may lag, and a bookmark may be older than what
 * is wanted, so readers must compare the catalogue version that they read.
 */
export function database(env: Env, tenantId: number, from: ReadFrom = 'primary'): Database {
  // Not a `first-primary` session: only its first query goes to the primary, and a retry must see new writes.
  const bound = tenantBinding(env, tenantId, 'rows');
  return from === 'primary'
    ? databaseAt(bound)
    : onSession(bound.withSession(from.since ?? 'first-unconstrained'));
}

/** Returns the database of a session, which has the two methods that the driver calls: prepare and batch. */
const onSession = (session: D1DatabaseSession): Database => databaseAt(session as unknown as D1Database);

/** What a call at the primary returned, and the bookmark from which on replicas have it; null if D1 gave none. */
export interface Bookmarked<Value> {
  readonly value: Value;
  readonly bookmark: Bookmark | null;
}

/** Runs one call, such as a batch, in a session at the primary: the bookmark costs no call of its own. */
export async function bookmarked<Value>(
  db: Database,
  call: (db: Database) => PromiseLike<Value>,
): Promise<Bookmarked<Value>> {
  const session = db.$client.withSession('first-primary');
  const value = await call(onSession(session));
  return { value, bookmark: session.getBookmark() };
}

/** Runs statements as one transaction, for writes whose results nobody reads. */
export async function batch(db: Database, statements: readonly Statement[]): Promise<unknown[]> {
  const [first, ...rest] = statements;
  return first ? await db.batch([first, ...rest]) : [];
}

/** Statements of one batch by name, and what each returned. */
export type NamedStatements = Readonly<Record<string, Statement>>;
export type NamedResults<Named extends NamedStatements> = {
  readonly [Name in keyof Named]: NonNullable<Named[Name]>['_']['result'];
};

/**
 * Runs `first` and then the named statements as one transaction and one round trip. Returns the result of each
 * named statement under its name.
 */
export async function namedBatch<Named extends NamedStatements>(
  db: Database,
  named: Named,
  first: readonly Statement[] = [],
): Promise<NamedResults<Named>> {
  const results = await batch(db, [...first, ...Object.values(named)]);
  const entries = Object.keys(named).map((name, n) => [name, results[first.length + n]]);
  // D1 returns one result for each statement, in their order.
  return Object.fromEntries(entries) as NamedResults<Named>;
}

/** Returns a raw SQL statement that can be awaited or batched. */
export const run = (db: Database, query: SQL) => batchable(db, db.run(query));

/** Returns a raw SQL query that can be awaited or batched. Its rows are objects keyed by column name. */
export const rows = <Row>(db: Database, query: SQL) => batchable(db, db.all<Row>(query));

/**
 * Returns a raw statement that a batch takes, with its SQL written once, when a batch asks. drizzle 0.45 prepares no raw
 * statements, though D1 batches only prepared ones, and writes their SQL each time it is asked.
 */
function batchable<Raw extends { getQuery(): { sql: string } }>(db: Database, raw: Raw): Raw {
  const write = raw.getQuery.bind(raw);
  let written: { sql: string } | null = null;
  const getQuery = () => {
    written ??= write();
    return written;
  };
  const stmt = { get: () => db.$client.prepare(getQuery().sql) };
  return Object.defineProperties(Object.assign(raw, { getQuery }), { stmt });
}

/** Returns a SELECT of a list's values that binds one parameter; D1 allows a hundred in a statement. */
export const jsonList = (values: readonly (string | number)[]): SQL =>
  sql`SELECT value FROM json_each(${JSON.stringify(values)})`;

/** Returns the condition that a text begins with a prefix, which an index answers: no letter sorts after U+10FFFF. */
export const beginsWith = (text: SQL, prefix: SQL | string): SQL =>
  sql`${text} >= ${prefix} AND ${text} < ${prefix} || char(1114111)`;

/**
 * Returns the condition that a column equals a tenant's id, without the use of an index on it. Beside
 * `id IN (…)`: SQLite would else read all of the tenant's rows, since it can't know how short the list is.
 */
export const ofTenant = (column: string | Column, tenantId: number): SQL =>
  sql`+${typeof column === 'string' ? sql.raw(column) : column} = ${tenantId}`;

/** The longest JSON list that {@link jsonLists} makes of several values (UTF-16 units; D1 binds at most 2 MB). */
const MAX_LIST_LENGTH = 500_000;

/** Returns JSON lists that together hold the values in their order, each small enough for one bound parameter. */
export function jsonLists(values: readonly object[]): string[] {
  const texts = values.map((value) => JSON.stringify(value));
  const lists = slicesBySize(texts, MAX_LIST_LENGTH, ({ length }) => length);
  return lists.map((list) => `[${list.join(',')}]`);
}

/** Returns a statement that aborts its batch unless `condition` holds at that point of the batch. */
export const assertInBatch = (db: Database, condition: SQL): Statement =>
  run(db, sql`INSERT INTO guards (reason) SELECT 'broken' WHERE NOT (${condition})`);

/** A violated constraint: its kind and SQLite's name for it ("products.tenant_id, products.slug"). */
export interface Violation {
  readonly kind: 'unique' | 'check' | 'foreign';
  readonly name: string;
}

/** Returns the constraint that an error reports as violated, or `null` for any other error. */
export function violation(error: unknown): Violation | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const match = /(UNIQUE|CHECK|FOREIGN KEY) constraint failed(?:: ([\w., ]+\w))?/.exec(cause.message);
    if (match?.[1] === 'UNIQUE') return { kind: 'unique', name: match[2] ?? '' };
    if (match?.[1] === 'CHECK') return { kind: 'check', name: match[2] ?? '' };
    if (match) return { kind: 'foreign', name: '' };
  }
  return null;
}

/** Returns whether {@link assertInBatch} aborted the batch. */
export const guardFailed = (error: unknown): boolean => violation(error)?.name === 'guard_holds';

/** Runs statements as one transaction; returns false, without a change, if {@link assertInBatch} aborted it. */
export async function guardedBatch(db: Database, statements: readonly Statement[]): Promise<boolean> {
  try {
    await batch(db, statements);
    return true;
  } catch (error) {
    if (guardFailed(error)) return false;
    throw error;
  }
}

/** Error messages of D1 and Durable Objects that are overloaded, restarting or unreachable. */
const OUTAGE =
  /D1 DB|caused object to be reset|overloaded|Network connection lost|Durable Object|transient issue|No response within|internal error; reference|D1_ERROR: (?!.*SQLITE_)/i;

/** Error messages of a tenant whose shard nobody knows, as after a restore of the directory, or that is not bound. */
const UNPLACED = /\bhas no placement$|\bis not bound$/;

/** Properties by which the runtime marks errors of an object that was evicted, restarted or unreachable. */
const OUTAGE_MARKS = ['retryable', 'durableObjectReset'] as const;

/** Returns whether an error means that storage is temporarily unavailable, so that a retry may succeed. */
export function isOutage(error: unknown): boolean {
  if (violation(error)) return false;
  if (isMoving(error)) return true;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (OUTAGE.test(cause.message) || UNPLACED.test(cause.message)) return true;
    if (OUTAGE_MARKS.some((mark) => Reflect.get(cause, mark) === true)) return true;
  }
  return false;
}
