import { type HistoryEntry, MAX_HISTORY_VERSIONS } from '../history.ts';
import type { CartContent } from './cart-content.ts';

/** After how many versions the history is pruned. */
const HISTORY_PRUNE_INTERVAL = 50;

/** The last {@link MAX_HISTORY_VERSIONS} versions of one cart: what made each, and its totals. */
export class HistoryStore {
  /** `created` is false in a cart that was made before carts had a history. */
  constructor(
    private readonly sql: SqlStorage,
    private created: boolean,
  ) {}

  /** Creates the table unless it exists. */
  create(): void {
    if (this.created) return;
    this.sql.exec('CREATE TABLE IF NOT EXISTS history (version INTEGER PRIMARY KEY, json TEXT NOT NULL)');
    this.created = true;
  }

  /** Adds a version to the history. Deletes those beyond {@link MAX_HISTORY_VERSIONS} several at once. */
  add(version: number, entry: HistoryEntry): void {
    this.create();
    this.sql.exec(
      'INSERT OR REPLACE INTO history (version, json) VALUES (?, ?)',
      version,
      JSON.stringify(entry),
    );
    if (version % HISTORY_PRUNE_INTERVAL > 0 || version <= MAX_HISTORY_VERSIONS) return;
    this.sql.exec('DELETE FROM history WHERE version <= ?', version - MAX_HISTORY_VERSIONS);
  }

  /** Returns the history, newest version first. */
  list(): (HistoryEntry & { readonly version: number })[] {
    if (!this.created) return [];
    return this.sql
      .exec<{ version: number; json: string }>(
        'SELECT version, json FROM history ORDER BY version DESC LIMIT ?',
        MAX_HISTORY_VERSIONS,
      )
      .toArray()
      .map(({ version, json }) => ({ version, ...(JSON.parse(json) as HistoryEntry) }));
  }

  /** Returns the stored rows, oldest version first. */
  rows(): Record<string, SqlStorageValue>[] {
    return this.created ? this.sql.exec('SELECT version, json FROM history ORDER BY version').toArray() : [];
  }

  /** Writes rows that {@link rows} returned. */
  restore(rows: CartContent['history']): void {
    this.create();
    for (const { version, json } of rows)
      this.sql.exec('INSERT INTO history (version, json) VALUES (?, ?)', version, json);
  }

  /** Deletes the history. */
  deleteAll(): void {
    if (this.created) this.sql.exec('DELETE FROM history');
  }
}
