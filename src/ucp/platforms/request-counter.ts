import { MINUTE } from '../../kernel/core/clock.ts';

const SCHEMA = `CREATE TABLE IF NOT EXISTS requests (
  key TEXT NOT NULL, second INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (key, second)) WITHOUT ROWID`;

/** A sliding window of 60 s touches 61 whole seconds. */
const WINDOW_SECONDS = 60;

/** One limit: at most this many requests with the key in any 60 seconds. */
export interface Limit {
  readonly key: string;
  readonly most: number;
}

/**
 * Counts requests by key and second in an object's SQLite: no sliding window of 60 seconds has more than its
 * limit, also after an eviction of the object. Synchronous. Times in ms.
 */
export class RequestCounter {
  private cleanedAt = 0;

  constructor(private readonly sql: SqlStorage) {
    sql.exec(SCHEMA);
  }

  /** Counts a request under all of the limits. If one is reached, counts nothing and returns the wait (ms). */
  take(limits: readonly Limit[], at: number): number | null {
    this.clean(at);
    const wait = Math.max(...limits.map((limit) => this.freesIn(limit, at)));
    if (wait > 0) return wait;
    for (const { key } of limits) {
      this.sql.exec(
        `INSERT INTO requests VALUES (?, ?, 1) ON CONFLICT (key, second) DO UPDATE SET used = used + 1`,
        key,
        secondOf(at),
      );
    }
    return null;
  }

  /** Deletes what no window reaches any more, at most once a minute. Returns whether anything is left. */
  clean(at: number): boolean {
    if (at - this.cleanedAt >= MINUTE) {
      this.cleanedAt = at;
      this.sql.exec('DELETE FROM requests WHERE second < ?', secondOf(at) - WINDOW_SECONDS);
    }
    return this.sql.exec('SELECT 1 FROM requests LIMIT 1').toArray().length > 0;
  }

  /** Returns the ms until the limit has room for one more request; 0 if it has now. */
  private freesIn({ key, most }: Limit, at: number): number {
    const query = 'SELECT second, used FROM requests WHERE key = ? AND second >= ? ORDER BY second';
    const found = this.sql
      .exec<{ second: number; used: number }>(query, key, secondOf(at) - WINDOW_SECONDS)
      .toArray();
    let excess = found.reduce((sum, { used }) => sum + used, 0) - most + 1;
    if (excess <= 0) return 0;
    for (const { second, used } of found) {
      excess -= used;
      if (excess <= 0) return (second + WINDOW_SECONDS + 1) * 1_000 - at;
    }
    return MINUTE;
  }
}

const secondOf = (ms: number): number => Math.floor(ms / 1_000);
