/** The bindings of the databases that run in a process of their own. */
export const DATABASES: readonly string[] = ['DB', 'SEARCH_01'];

/** A statement and its parameters. */
interface Query {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** One round trip to a database; `raw` asks for the rows of its one statement as arrays. */
export interface Asked {
  readonly database: string;
  readonly session?: string | undefined;
  readonly statements: readonly Query[];
  readonly raw: boolean;
}

/** What a round trip responds. */
export type Responded =
  | { readonly results: readonly unknown[]; readonly bookmark: string | null }
  | { readonly error: string };

/** A D1 database in another process, with the methods that the service calls. */
class RemoteDatabase {
  private bookmark: string | null = null;

  constructor(
    private readonly url: string,
    private readonly database: string,
    private readonly session?: string,
  ) {}

  withSession(session = 'first-unconstrained'): RemoteDatabase {
    return new RemoteDatabase(this.url, this.database, session);
  }

  getBookmark(): string | null {
    return this.bookmark;
  }

  prepare(sql: string): RemoteStatement {
    return new RemoteStatement(this, { sql, params: [] });
  }

  batch(statements: readonly RemoteStatement[]): Promise<readonly unknown[]> {
    return this.send(
      statements.map(({ query }) => query),
      false,
    );
  }

  async send(statements: readonly Query[], raw: boolean): Promise<readonly unknown[]> {
    const { database, session } = this;
    const asked: Asked = { database, session, statements, raw };
    const answer = await fetch(this.url, { method: 'POST', body: JSON.stringify(asked) });
    if (!answer.ok) throw new Error(`D1_ERROR: the process of the databases responded ${answer.status}`);
    const responded = (await answer.json()) as Responded;
    if ('error' in responded) throw new Error(responded.error);
    this.bookmark = responded.bookmark;
    return responded.results;
  }
}

/** A statement of a {@link RemoteDatabase}. */
class RemoteStatement {
  constructor(
    private readonly owner: RemoteDatabase,
    readonly query: Query,
  ) {}

  bind(...params: unknown[]): RemoteStatement {
    return new RemoteStatement(this.owner, { ...this.query, params });
  }

  async all(): Promise<unknown> {
    return (await this.owner.send([this.query], false))[0];
  }

  run(): Promise<unknown> {
    return this.all();
  }

  raw(): Promise<readonly unknown[]> {
    return this.owner.send([this.query], true);
  }

  async first(column?: string): Promise<unknown> {
    // The result of a batch's only statement, as the databases respond it.
    const { results } = (await this.all()) as D1Result<Record<string, unknown>>;
    const row = results[0] ?? null;
    return row && column !== undefined ? row[column] : row;
  }
}

/** Returns the service's environment with databases in the process at `DATABASES_URL`. */
export const apart = (env: Env): Env => ({
  ...env,
  ...Object.fromEntries(
    DATABASES.map((name) => [name, new RemoteDatabase(Reflect.get(env, 'DATABASES_URL'), name)]),
  ),
});
