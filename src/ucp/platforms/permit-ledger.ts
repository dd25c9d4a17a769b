import {
  type Demand,
  type Grant,
  type Journal,
  type Report,
  SlidingWindow,
  second,
  share,
} from '../../access/index.ts';
import { MINUTE } from '../../kernel/core/clock.ts';

/** The used permits by key and second, and those of the leases that are out, a row for each key. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS requests (
    key TEXT NOT NULL, second INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (key, second)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS leases (
    key TEXT NOT NULL, id INTEGER NOT NULL, permits INTEGER NOT NULL, grantedAt INTEGER NOT NULL,
    PRIMARY KEY (key, id)) WITHOUT ROWID;`;

/** How long (ms) a count may matter: a sliding window of 60 s touches 61 whole seconds, and a lease ends after it. */
const RETENTION_MS = 64_000;

/** One limit: at most this many requests with the key in any 60 seconds. */
export interface Limit {
  readonly key: string;
  readonly most: number;
}

/** Permits, or the wait (ms) until one is free. */
export type Permits =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly retryIn: number };

/**
 * The permits of a tenant's platforms: exact limits of requests by key (see {@link SlidingWindow}) in an object's
 * SQLite, so that an eviction of the object loses nothing. A lease counts under all of its limits. Synchronous.
 * Times in ms.
 */
export class PermitLedger {
  private readonly windows = new Map<string, SlidingWindow>();
  /** The id of the last lease. Ids grow with the time, so that none is used again after an eviction. */
  private leaseId = 0;
  private cleanedAt = 0;

  constructor(private readonly sql: SqlStorage) {
    sql.exec(SCHEMA);
  }

  /** Grants a lease for the waiting requests and some expected ones, within all of the limits. */
  grant(limits: readonly Limit[], { waiting, ahead }: Demand, at: number): Permits {
    this.clean(at);
    const all = limits.map(({ key, most }) => ({ most, window: this.windowOf(key) }));
    const free = Math.min(...all.map(({ window, most }) => most - window.counted(at)));
    const bounded = Math.min(ahead, ...limits.map(({ most }) => Math.ceil(most / 10)));
    const permits = share(waiting, bounded, free);
    if (permits === 0) {
      const full = all.filter(({ window, most }) => window.counted(at) >= most);
      const waits = full.map(({ window, most }) => window.freesIn(at, 1 + window.counted(at) - most));
      return { ok: false, retryIn: Math.max(1, ...waits) };
    }
    this.leaseId = Math.max(this.leaseId + 1, at * 1_000);
    for (const { window, most } of all) window.grant({ waiting: permits, ahead: 0 }, most, at);
    return { ok: true, grant: { id: this.leaseId, permits, grantedAt: at } };
  }

  /** Ends leases and counts their reported usage under the keys of these limits. Idempotent. */
  settle(limits: readonly Limit[], reports: readonly Report[]): void {
    for (const { key } of limits) this.windowOf(key).settle(reports);
  }

  /** Counts one request under all of these limits. Returns null, or the wait (ms) if one is reached. */
  take(limits: readonly Limit[], at: number): number | null {
    const permits = this.grant(limits, { waiting: 1, ahead: 0 }, at);
    if (!permits.ok) return permits.retryIn;
    this.settle(limits, [{ id: permits.grant.id, usage: [[second(at), 1]] }]);
    return null;
  }

  /** Deletes what no window reaches any more, at most once a minute. Returns whether anything is left. */
  clean(at: number): boolean {
    if (at - this.cleanedAt >= MINUTE) {
      this.cleanedAt = at;
      this.windows.clear();
      this.sql.exec('DELETE FROM requests WHERE second < ?', second(at - RETENTION_MS));
      this.sql.exec('DELETE FROM leases WHERE grantedAt < ?', at - RETENTION_MS);
    }
    const left = 'SELECT 1 FROM requests UNION ALL SELECT 1 FROM leases LIMIT 1';
    return this.sql.exec(left).toArray().length > 0;
  }

  /** Returns the window of a key, loaded from storage on its first use in a minute. */
  private windowOf(key: string): SlidingWindow {
    const known = this.windows.get(key);
    if (known) return known;
    const { sql } = this;
    const seconds = sql.exec<{ second: number; used: number }>(
      'SELECT second, used FROM requests WHERE key = ?',
      key,
    );
    const grants = sql.exec<Record<keyof Grant, number>>(
      'SELECT id, permits, grantedAt FROM leases WHERE key = ?',
      key,
    );
    const window = new SlidingWindow(
      this.journalOf(key),
      seconds.toArray().map(({ second, used }) => [second, used] as const),
      grants.toArray(),
    );
    this.windows.set(key, window);
    return window;
  }

  /** Returns what persists the changes of a key's window. */
  private journalOf(key: string): Journal {
    const { sql } = this;
    const upsert = `INSERT INTO requests VALUES (?, ?, ?)
      ON CONFLICT (key, second) DO UPDATE SET used = used + excluded.used`;
    return {
      granted: (permits, grantedAt) => {
        sql.exec('INSERT INTO leases VALUES (?, ?, ?, ?)', key, this.leaseId, permits, grantedAt);
        return this.leaseId;
      },
      settled: (id) => void sql.exec('DELETE FROM leases WHERE key = ? AND id = ?', key, id),
      used: (usage) => {
        for (const [second, used] of usage) sql.exec(upsert, key, second, used);
      },
      // clean() does it for all keys.
      forgot: () => undefined,
    };
  }
}
