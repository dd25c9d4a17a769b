import { eq, type SQL, sql } from 'drizzle-orm';
import { now } from '../../kernel/core/clock.ts';
import {
  batch,
  type Database,
  database,
  databaseAt,
  directory,
  type Statement,
} from '../../kernel/data/database.ts';
import { nextPosition } from '../../kernel/data/ids.ts';
import { tenantIdOf } from '../../kernel/shards/placements.ts';
import { mainDatabases } from '../../kernel/shards/shard-names.ts';
import { sameEntry, unnamedEntry } from '../store.ts';
import { type AuditChange, type AuditRow, auditLog } from '../tables.ts';
import { trimStatement } from './trim.ts';

/** An entry to write. An application is named as it is called when the entry is written. */
export interface AuditEntry
  extends Pick<AuditRow, 'actorKind' | 'actorId' | 'actorName' | 'action' | 'requestId'> {
  /** The tenant's id or slug; null for the platform itself. */
  readonly tenant: number | string | null;
  readonly subject: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly changes: readonly AuditChange[];
}

/** A change to record: the bindings to make it with, and what became of it. */
export interface AuditedChange {
  /** Bindings whose first write to a main database carries the entry in the same batch. */
  readonly env: Env;
  /** Records a change that wrote nothing to a main database: to an object, a queue or the media store. */
  recordApart(): Promise<void>;
  /** Adds the id and name of what the change has created; to the entry of the run that created it, if this one repeats it. */
  nameSubject(id: string, name: string | null): Promise<void>;
  /** Deletes the entry of a change that failed after its first write. */
  discard(): Promise<void>;
}

/** Returns bindings that record a change in the audit log, in the batch that makes it. */
export function audited(env: Env, entry: AuditEntry): AuditedChange {
  const at = now();
  const recording = new Recording(() => statementsOf(env, entry, at));
  const apart = async () => (typeof entry.tenant === 'string' ? tenantIdOf(env, entry.tenant) : entry.tenant);
  return {
    env: { ...env, ...auditedDatabases(env, recording) },
    recordApart: async () => {
      if (recording.entryId !== null) return;
      const tenantId = await apart();
      const db = tenantId ? database(env, tenantId) : directory(env);
      await batch(db, statementsOf(env, entry, at));
    },
    nameSubject: (subjectId, subjectName) => {
      const name: Change = (db, which) => db.update(auditLog).set({ subjectId, subjectName }).where(which);
      return recording.entryId === null
        ? amendUnnamed(env, { entry, created: subjectId }, name)
        : amend(env, { recording, entry, at }, name);
    },
    discard: () => amend(env, { recording, entry, at }, (db, own) => db.delete(auditLog).where(own)),
  };
}

/** Returns the databases that a change may write to, each of which records it. */
const auditedDatabases = (env: Env, recording: Recording): Readonly<Record<string, AuditedDatabase>> =>
  Object.fromEntries(
    mainDatabases(env).map((name) => {
      const bound: D1Database = Reflect.get(env, name);
      return [name, new AuditedDatabase(bound, recording, bound)];
    }),
  );

/** Changes the entries that meet a condition. */
type Change = (db: Database, which: SQL | undefined) => PromiseLike<D1Result>;

/** Changes the entry of an earlier run that died before it named what it had created: on its shard, or not forwarded yet. */
async function amendUnnamed(
  env: Env,
  { entry, created }: { readonly entry: AuditEntry; readonly created: string },
  change: Change,
): Promise<void> {
  const { tenant } = entry;
  const tenantId = (typeof tenant === 'string' ? await tenantIdOf(env, tenant) : tenant) ?? 0;
  const which = unnamedEntry({ ...entry, tenantId, subjectKind: entry.subject.kind }, created);
  const places = tenantId === 0 ? [] : [database(env, tenantId)];
  for (const db of [...places, directory(env)]) {
    const { meta } = await change(db, which);
    if (meta.changes > 0) return;
  }
}

/** Changes the entry that a change has written: where it was written, or where it was forwarded to since. */
async function amend(
  env: Env,
  {
    recording,
    entry,
    at,
  }: { readonly recording: Recording; readonly entry: AuditEntry; readonly at: number },
  change: Change,
): Promise<void> {
  const { entryId, carrier } = recording;
  if (entryId === null || !carrier) return;
  const { meta } = await change(databaseAt(carrier), eq(auditLog.id, entryId));
  if (meta.changes > 0 || entry.tenant === null) return;
  const tenantId = typeof entry.tenant === 'string' ? await tenantIdOf(env, entry.tenant) : entry.tenant;
  if (tenantId) await change(database(env, tenantId), sameEntry({ ...entry, tenantId, at }));
}

/** Returns the statements that write an entry, and now and then delete the tenant's oldest. */
function statementsOf(env: Env, { tenant, subject, changes, ...actor }: AuditEntry, at: number): Statement[] {
  const db = directory(env);
  // A shard has the row of a tenant, the directory its placement.
  const tenantId =
    typeof tenant === 'string'
      ? sql<number>`coalesce((SELECT id FROM tenants WHERE slug = ${tenant}),
          (SELECT tenant_id FROM placements WHERE slug = ${tenant}), 0)`
      : (tenant ?? 0);
  const { actorKind, actorId, actorName } = actor;
  const named = sql<string>`coalesce((SELECT name FROM applications WHERE id = ${actorId}), 'Application ' || ${actorId})`;
  const insert = db.insert(auditLog).values({
    id: nextPosition('audit_log'),
    ...actor,
    tenantId,
    at,
    changes,
    actorName: actorKind === 'application' ? named : actorName,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectName: subject.name,
  });
  return [insert, trimStatement(db, { tenantId, actorKind, written: 1 })];
}

/** Writes that prepare or protect a change and are none themselves. An upload that breaks off has made none. */
const AUXILIARY =
  /\bidempotency_keys\b|\b(?:insert\s+into|update|delete\s+from)\s+["'`]?(?:guards|sequences|placements|shards|tenant_hosts|quota_counts)\b|\binsert\s+into\s+["'`]?(?:imports|import_chunks|media)\b/i;

const isChange = (text: string): boolean =>
  /\b(?:insert\s+into|update|delete\s+from|replace\s+into)\b/i.test(text) && !AUXILIARY.test(text);

type Row = Record<string, unknown>;

/** The entry of one change: the first write that is a change carries it, whichever database it goes to. */
class Recording {
  /** The id of the entry and the database that has it, once a write has carried it. */
  entryId: number | null = null;
  carrier: D1Database | null = null;

  constructor(readonly entry: () => Statement[]) {}
}

class AuditedDatabase {
  constructor(
    private readonly primary: D1Database | D1DatabaseSession,
    readonly recording: Recording,
    /** The database of a session. */
    private readonly bound: D1Database,
  ) {}

  withSession(constraint: D1SessionConstraint): AuditedDatabase {
    // The driver's sessions have none of their own.
    const session = 'withSession' in this.primary ? this.primary.withSession(constraint) : this.primary;
    return new AuditedDatabase(session, this.recording, this.bound);
  }

  /** Returns a session's bookmark; a database has none. */
  getBookmark(): D1SessionBookmark | null {
    return 'getBookmark' in this.primary ? this.primary.getBookmark() : null;
  }

  prepare(text: string): AuditedStatement {
    return new AuditedStatement(this, this.primary.prepare(text), isChange(text));
  }

  /** Statements that other bindings prepared, such as an idempotency key's, are no changes. */
  async batch(statements: readonly (AuditedStatement | D1PreparedStatement)[]): Promise<D1Result<Row>[]> {
    const asked = statements.map((one) => (one instanceof AuditedStatement ? one.statement : one));
    const { recording } = this;
    if (recording.entryId !== null || !statements.some((one) => 'changes' in one && one.changes)) {
      return this.primary.batch<Row>(asked);
    }
    const added = recording.entry().map((statement) => prepared(this.primary, statement));
    const results = await this.primary.batch<Row>([...asked, ...added]);
    recording.entryId = results[asked.length]?.meta.last_row_id ?? 0;
    recording.carrier = this.bound;
    return results.slice(0, asked.length);
  }
}

/** Returns a drizzle statement as the driver would send it. */
function prepared(db: Pick<D1Database, 'prepare'>, statement: Statement): D1PreparedStatement {
  // Every statement here was built by drizzle, whose type doesn't say that it can return its SQL.
  const query = (statement as unknown as { getQuery?(): Query; toSQL?(): Query }) ?? {};
  const { sql: text, params } = query.toSQL?.() ?? query.getQuery?.() ?? { sql: '', params: [] };
  return db.prepare(text).bind(...params);
}

interface Query {
  readonly sql: string;
  readonly params: unknown[];
}

/** A prepared statement of an {@link AuditedDatabase}, with the methods that the driver calls. */
class AuditedStatement {
  constructor(
    private readonly owner: AuditedDatabase,
    readonly statement: D1PreparedStatement,
    /** Whether it changes something that the log is about. */
    readonly changes: boolean,
  ) {}

  bind(...values: unknown[]): AuditedStatement {
    return new AuditedStatement(this.owner, this.statement.bind(...values), this.changes);
  }

  all(): Promise<D1Result<Row>> {
    return this.carries ? this.inBatch() : this.statement.all<Row>();
  }

  run(): Promise<D1Result<Row>> {
    return this.carries ? this.inBatch() : this.statement.run<Row>();
  }

  async raw(): Promise<unknown[][]> {
    if (!this.carries) return this.statement.raw();
    return (await this.inBatch()).results.map((row) => Object.values(row));
  }

  /** Whether the entry is written with this statement. */
  private get carries(): boolean {
    return this.changes && this.owner.recording.entryId === null;
  }

  private async inBatch(): Promise<D1Result<Row>> {
    const [result] = await this.owner.batch([this]);
    if (!result) throw new Error('D1 returned no result for a statement');
    return result;
  }
}
