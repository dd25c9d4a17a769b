import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** A SQLite file behind D1's interface, so that the service's own statements can write to it from Node. */
export interface SqliteDatabase {
  readonly d1: D1Database;
  /** Writes what is in the journal into the file, and closes it. */
  close(): void;
}

/** The most prepared statements that are kept; filling has fewer texts that it repeats. */
const MAX_PREPARED = 500;

/** A database with the statements that were prepared before. */
class Prepared {
  readonly #statements = new Map<string, StatementSync>();

  constructor(readonly connection: DatabaseSync) {}

  prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= MAX_PREPARED) this.#statements.clear();
    const statement = this.connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** What {@link openSqlite} provides of a prepared statement: all that drizzle and the search index call. */
class Statement {
  constructor(
    private readonly database: Prepared,
    private readonly sql: string,
    private readonly params: SQLInputValue[] = [],
  ) {}

  bind(...params: SQLInputValue[]): Statement {
    return new Statement(this.database, this.sql, params);
  }

  /** Runs the statement at once, as a batch does with each of its own. */
  result(): { results: Record<string, unknown>[]; success: true; meta: object } {
    const results = this.database.prepared(this.sql).all(...this.params);
    return { results, success: true, meta: {} };
  }

  async all(): Promise<object> {
    return this.result();
  }

  async run(): Promise<object> {
    return this.result();
  }

  async first(column?: string): Promise<unknown> {
    const [row] = this.result().results;
    return (column === undefined ? row : row?.[column]) ?? null;
  }

  async raw(): Promise<unknown[][]> {
    const statement = this.database.connection.prepare(this.sql);
    statement.setReturnArrays(true);
    // Node's types don't know that rows are arrays now.
    return statement.all(...this.params) as unknown as unknown[][];
  }
}

/** Opens a file of D1's. It must not be open elsewhere. Commits don't wait for the disk. */
export function openSqlite(file: string): SqliteDatabase {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
  const batch = async (statements: readonly Statement[]): Promise<object[]> => {
    database.exec('BEGIN');
    try {
      const results = statements.map((statement) => statement.result());
      database.exec('COMMIT');
      return results;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };
  const kept = new Prepared(database);
  const prepare = (sql: string): Statement => new Statement(kept, sql);
  return {
    // The methods of D1 that are called here; it has more, such as those for sessions.
    d1: { prepare, batch } as unknown as D1Database,
    close() {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}
