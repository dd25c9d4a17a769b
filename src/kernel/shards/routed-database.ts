import { followSwitch } from './follow-switch.ts';
import { shardOf } from './shard-map.ts';
import { shardBinding, shardNames, type TenantStore } from './shard-names.ts';

/** The error of the triggers on a shard that a tenant has left (`RAISE(ABORT, 'tenant_moved')`). */
const MOVED = /\btenant_moved\b/;

type Client = D1Database | D1DatabaseSession;
type Row = Record<string, unknown>;

/**
 * Returns one of the databases with a tenant's rows. With one shard it is the binding itself; with more, each
 * statement goes to the shard that the tenant has when it is sent.
 */
export function tenantBinding(env: Env, tenantId: number, store: TenantStore): D1Database {
  const [first, second] = shardNames(env);
  if (first && !second) return shardBinding(env, first, store);
  // It has the methods that the driver (database.ts) and search call.
  return new RoutedDatabase({ env, tenantId, store }) as unknown as D1Database;
}

interface Route {
  readonly env: Env;
  readonly tenantId: number;
  readonly store: TenantStore;
  /** The constraint or bookmark of a session; absent for the primary. */
  readonly session?: D1SessionConstraint | D1SessionBookmark;
}

/**
 * One tenant's database on the shard where the tenant is. A statement that a shard refuses because the tenant has
 * left it had no effect, and is sent once more to the shard that the directory names then.
 */
class RoutedDatabase {
  private client: Client | null = null;

  constructor(private readonly route: Route) {}

  withSession(session: D1SessionConstraint | D1SessionBookmark = 'first-unconstrained'): RoutedDatabase {
    return new RoutedDatabase({ ...this.route, session });
  }

  /** Returns the bookmark of the session's last query, or null before the first. */
  getBookmark(): D1SessionBookmark | null {
    return this.client && 'getBookmark' in this.client ? this.client.getBookmark() : null;
  }

  prepare(text: string): RoutedStatement {
    return new RoutedStatement(this, text, []);
  }

  batch(statements: readonly (RoutedStatement | D1PreparedStatement)[]): Promise<D1Result<Row>[]> {
    return this.send((client) =>
      client.batch<Row>(statements.map((one) => (one instanceof RoutedStatement ? one.on(client) : one))),
    );
  }

  /** Runs `work` on the tenant's shard. */
  async send<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await work(await this.open());
    } catch (error) {
      if (!(error instanceof Error && MOVED.test(error.message))) throw error;
      this.client = null;
      await followSwitch(this.route.env, this.route.tenantId);
      return work(await this.open());
    }
  }

  private async open(): Promise<Client> {
    const { env, tenantId, store, session } = this.route;
    if (this.client) return this.client;
    const bound = shardBinding(env, await shardOf(env, tenantId), store);
    this.client = session === undefined ? bound : bound.withSession(session);
    return this.client;
  }
}

/** A statement of a {@link RoutedDatabase}, prepared where it is sent to. */
class RoutedStatement {
  constructor(
    private readonly owner: RoutedDatabase,
    private readonly text: string,
    private readonly values: readonly unknown[],
  ) {}

  bind(...values: unknown[]): RoutedStatement {
    return new RoutedStatement(this.owner, this.text, values);
  }

  /** Returns the statement as a client prepares it. */
  on(client: Client): D1PreparedStatement {
    const statement = client.prepare(this.text);
    return this.values.length > 0 ? statement.bind(...this.values) : statement;
  }

  all(): Promise<D1Result<Row>> {
    return this.owner.send((client) => this.on(client).all<Row>());
  }

  run(): Promise<D1Result<Row>> {
    return this.owner.send((client) => this.on(client).run<Row>());
  }

  raw(): Promise<unknown[][]> {
    return this.owner.send((client) => this.on(client).raw());
  }

  first(column?: string): Promise<unknown> {
    return this.owner.send<unknown>((client) =>
      column === undefined ? this.on(client).first() : this.on(client).first(column),
    );
  }
}
