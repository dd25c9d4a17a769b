/** D1's read replication: a session's later reads may come from a replica that lags. */
import { env } from 'cloudflare:workers';

interface Query {
  readonly sql: string;
  readonly params: unknown[];
}

/** The parts of a D1 session that everything it sends passes: the driver's own, without types. */
interface Session {
  bookmarkOrConstraint: string | null;
  getBookmark(): string | null;
  _queryOrThrow(request: { queries: Query[] }, ...rest: unknown[]): Promise<unknown[]>;
  _sendOrThrow(path: string, sql: string | string[], params: unknown[], ...rest: unknown[]): Promise<unknown>;
}

/** What a session wrote, and when (ms). Bookmarks are ordered as text. */
interface Written {
  readonly at: number;
  readonly bookmark: string;
  readonly queries: Query[];
}

/** What a session may begin with in place of a bookmark. */
const CONSTRAINTS = new Set(['first-primary', 'first-unconstrained']);

const READS = /^\s*(select|with(?![\s\S]*\b(insert|update|delete)\b))/i;
const OF_SEARCH = /\bsearch_(index|documents|spellings|progress)\b/i;

/** Tables before what is made on them; what the search database has already is left out. */
const SCHEMA = `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT IN (SELECT value FROM json_each(?))
  AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY type <> 'table'`;

/** A replica of the main database that lags behind it. */
export interface Replica {
  /** How many reads it has served. */
  readonly reads: () => number;
  /** Lets sessions read there from now on: once it has what was prepared. */
  readonly begin: () => Promise<void>;
  readonly pause: () => void;
  readonly end: () => void;
}

/**
 * Gives the main database a copy that is `lag` ms behind: sessions read there, but for the first query of
 * `first-primary`. It is kept in the search database, whose tables have other names, and has what is written
 * from now on: made before any tenant.
 */
export async function addLaggingReplica(lag: number): Promise<Replica> {
  const session: Session = Object.getPrototypeOf(env.DB.withSession());
  const real = { query: session._queryOrThrow, send: session._sendOrThrow };
  const copyOf = env.SEARCH_01.withSession();
  // The same object, seen from the driver's side.
  const copy = copyOf as unknown as Session;
  const written: Written[] = [];
  const begun = new WeakSet<Session>();
  const wrote = new WeakSet<Session>();
  let serves = false;
  let locked = false;
  let reads = 0;
  // Requests can't wait for each other's promises here, so they look again and again.
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    while (locked) await scheduler.wait(1);
    locked = true;
    try {
      return await work();
    } finally {
      locked = false;
    }
  };
  const apply = (queries: readonly Query[]) =>
    copyOf.batch(queries.map(({ sql, params }) => copyOf.prepare(sql).bind(...params)));
  const between = async <T>(of: Session, queries: Query[], send: (to: Session) => Promise<T>): Promise<T> => {
    if (of === copy || queries.some(({ sql }) => OF_SEARCH.test(sql))) return send(of);
    const isFirst = !begun.has(of);
    begun.add(of);
    if (!queries.every(({ sql }) => READS.test(sql))) {
      return alone(async () => {
        const answer = await send(of);
        written.push({ at: Date.now(), bookmark: of.getBookmark() ?? '', queries });
        wrote.add(of);
        return answer;
      });
    }
    const constraint = of.bookmarkOrConstraint;
    // A session has the bookmark of what it wrote, and a copy without that is not asked.
    if (!serves || constraint === null || wrote.has(of) || (isFirst && constraint === 'first-primary'))
      return send(of);
    reads += 1;
    // Waits for what was committed at its bookmark, however far behind the copy is.
    const isDue = ({ at, bookmark }: Written): boolean =>
      at <= Date.now() - lag || (!CONSTRAINTS.has(constraint) && bookmark <= constraint);
    await alone(async () => {
      while (written[0] && isDue(written[0])) await apply(written.shift()?.queries ?? []);
    });
    return send(copy);
  };
  session._queryOrThrow = function (request, ...rest) {
    return between(this, request.queries, (to) => real.query.call(to, request, ...rest));
  };
  session._sendOrThrow = function (path, sql, params, ...rest) {
    // Of a batch each statement has a list of parameters of its own.
    const of = (n: number) => (Array.isArray(sql) ? params[n] : params) as unknown[];
    const queries = [sql].flat().map((one, n) => ({ sql: one, params: of(n) }));
    return between(this, queries, (to) => real.send.call(to, path, sql, params, ...rest));
  };
  const there = await copyOf.prepare('SELECT name FROM sqlite_master').all<{ name: string }>();
  const known = JSON.stringify(there.results.map(({ name }) => name));
  const { results } = await env.DB.prepare(SCHEMA).bind(known).all<{ sql: string }>();
  await apply(results.map(({ sql }) => ({ sql, params: [] })));
  // Ids are computed by statements, so the copy has to compute the same ones.
  const sequences = await env.DB.prepare('SELECT name, value FROM sequences').all();
  const insert = `INSERT INTO sequences (name, value)
    SELECT value ->> 'name', value ->> 'value' FROM json_each(?)`;
  await apply([{ sql: insert, params: [JSON.stringify(sequences.results)] }]);
  return {
    reads: () => reads,
    begin: async () => {
      await scheduler.wait(lag);
      serves = true;
    },
    pause: () => {
      serves = false;
    },
    end: () => Object.assign(session, { _queryOrThrow: real.query, _sendOrThrow: real.send }),
  };
}
