import { SlidingWindow, type WindowState } from './sliding-window.ts';

/** The other tables are of an earlier format, which counted in rows: it forgets a minute when it is replaced. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS windows (
    key TEXT PRIMARY KEY, saved_at INTEGER NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;
  DROP TABLE IF EXISTS seconds; DROP TABLE IF EXISTS grants;
  DROP TABLE IF EXISTS requests; DROP TABLE IF EXISTS leases;`;

/**
 * Sliding windows in an object's SQLite, by key: one row each, because each row that is written is paid for. A
 * caller that changes a window saves it before its next `await`, so that an eviction loses nothing.
 */
export class WindowStore {
  constructor(private readonly sql: SqlStorage) {
    sql.exec(SCHEMA);
  }

  /** Returns the window of a key; an empty one if none is stored. */
  load(key: string): SlidingWindow {
    const rows = this.sql.exec<{ state: string }>('SELECT state FROM windows WHERE key = ?', key).toArray();
    // save() alone writes this column.
    return new SlidingWindow(rows[0] && (JSON.parse(rows[0].state) as WindowState));
  }

  /** Stores a window that has changed since it was loaded or saved; writes nothing for another. */
  save(key: string, window: SlidingWindow, at: number): void {
    const state = window.unsaved();
    if (!state) return;
    this.sql.exec('INSERT OR REPLACE INTO windows VALUES (?, ?, ?)', key, at, JSON.stringify(state));
  }

  /** Deletes the windows that were saved before `at` (ms). */
  deleteSavedBefore(at: number): void {
    this.sql.exec('DELETE FROM windows WHERE saved_at < ?', at);
  }

  /** Returns whether no window is stored. */
  get empty(): boolean {
    return this.sql.exec('SELECT 1 FROM windows LIMIT 1').toArray().length === 0;
  }
}

/** Ids of leases. They grow with the time, so that none is used again after an eviction. */
export class LeaseIds {
  private last = 0;

  /** Returns the id of a lease that is granted `at` (ms). */
  next(at: number): number {
    this.last = Math.max(this.last + 1, at * 1_000);
    return this.last;
  }
}
