/** A statement that waits for its batch, and who waits for its result. */
interface Waiting {
  readonly statement: D1PreparedStatement;
  resolve(result: D1Result<Row>): void;
  reject(error: unknown): void;
}

type Row = Record<string, unknown>;

/**
 * The environment with a main database in which all reads that are asked for at the same time go out as one
 * batch: one round trip, one snapshot, whoever asks. For pages that are made of several reads. It reads
 * from the primary, so that a page shows what was just written.
 *
 * As in any batch of D1, the columns of a statement need names of their own.
 */
export const batchedReads = (env: Env): Env => ({
  ...env,
  // What the database is used for (kernel/database.ts) is all there: withSession, prepare and batch.
  DB: new BatchedDatabase(env.DB) as unknown as D1Database,
});

class BatchedDatabase {
  private waiting: Waiting[] = [];

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

  /** Puts a statement into the next batch, which leaves as soon as nobody has more to ask. */
  ask(statement: D1PreparedStatement): Promise<D1Result<Row>> {
    if (this.waiting.length === 0) setTimeout(() => this.send(), 0);
    return new Promise((resolve, reject) => {
      this.waiting.push({ statement, resolve, reject });
    });
  }

  private async send(): Promise<void> {
    const sent = this.waiting.splice(0);
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
    private readonly gathering: BatchedDatabase,
    private readonly statement: D1PreparedStatement,
  ) {}

  bind(...values: unknown[]): BatchedStatement {
    return new BatchedStatement(this.gathering, this.statement.bind(...values));
  }

  all(): Promise<D1Result<Row>> {
    return this.gathering.ask(this.statement);
  }

  run(): Promise<D1Result<Row>> {
    return this.all();
  }

  async raw(): Promise<unknown[][]> {
    const { results } = await this.all();
    return results.map((row) => Object.values(row));
  }
}
