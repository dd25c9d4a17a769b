import { mainDatabases } from '../shards/shard-names.ts';

/** A statement queued for the next batch, with the callbacks of its promise. */
interface QueuedStatement {
  readonly statement: D1PreparedStatement;
  resolve(result: D1Result<Row>): void;
  reject(error: unknown): void;
}

type Row = Record<string, unknown>;

/**
 * Returns the environment with main databases that send concurrent reads as one batch: one round trip each,
 * one snapshot. For pages that need several reads. Reads from the primary, so that a page shows preceding
 * writes. As in any D1 batch, the column names of a statement must be distinct.
 */
export const batchedReads = (env: Env): Env => ({
  ...env,
  ...Object.fromEntries(
    mainDatabases(env).map((name) => [name, new BatchedDatabase(Reflect.get(env, name))]),
  ),
});

class BatchedDatabase {
  private queue: QueuedStatement[] = [];

  constructor(private readonly primary: D1Database) {}

  withSession(): this {
    return this;
  }

  prepare(text: string): BatchedStatement {
    return new BatchedStatement(this, this.primary.prepare(text));
  }

  batch(statements: readonly BatchedStatement[]): Promise<D1Result<Row>[]> {
    return Promise.all(statements.map((statement) => statement.all()));
  }

  /** Adds a statement to the next batch, which is sent in the next macrotask. */
  enqueue(statement: D1PreparedStatement): Promise<D1Result<Row>> {
    if (this.queue.length === 0) setTimeout(() => this.send(), 0);
    return new Promise((resolve, reject) => {
      this.queue.push({ statement, resolve, reject });
    });
  }

  private async send(): Promise<void> {
    const sent = this.queue.splice(0);
    try {
      const results = await this.primary.batch<Row>(sent.map(({ statement }) => statement));
      for (const [at, result] of results.entries()) sent[at]?.resolve(result);
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  }
}

/** A prepared statement of a {@link BatchedDatabase}, with the methods that the driver calls. */
class BatchedStatement {
  constructor(
    private readonly owner: BatchedDatabase,
    private readonly statement: D1PreparedStatement,
  ) {}

  bind(...values: unknown[]): BatchedStatement {
    return new BatchedStatement(this.owner, this.statement.bind(...values));
  }

  all(): Promise<D1Result<Row>> {
    return this.owner.enqueue(this.statement);
  }

  run(): Promise<D1Result<Row>> {
    return this.all();
  }

  async raw(): Promise<unknown[][]> {
    const { results } = await this.all();
    return results.map((row) => Object.values(row));
  }
}
