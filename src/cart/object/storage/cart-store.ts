import type { CartState } from '../state.ts';
import type { CartContent } from './cart-content.ts';
import { HistoryStore } from './history-store.ts';
import { ReplyStore } from './reply-store.ts';
import { readParts } from './stored-parts.ts';

/**
 * The SQL storage of one Cart object: the head, the pricing settings, the automatic promotions, a row per line, the
 * last versions, and the replies by Idempotency-Key. Writes nothing for a cart that was never created.
 */
export class CartStore {
  /** Whether a newer version stored the cart: then it must not be read or written. */
  newer = false;
  readonly replies: ReplyStore;
  readonly history: HistoryStore;
  private readonly sql: SqlStorage;
  private created: boolean;
  /** Whether the stored format is older: the next save rewrites everything. */
  private older = false;

  constructor(storage: DurableObjectStorage) {
    this.sql = storage.sql;
    const tables = this.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('parts', 'answers', 'history')")
      .toArray()
      .map(({ name }) => name);
    this.created = tables.includes('parts');
    this.replies = new ReplyStore(this.sql, tables.includes('answers'));
    this.history = new HistoryStore(this.sql, tables.includes('history'));
  }

  /** Returns the cart in the current format; null if there is none or a newer version stored it. */
  load(): CartState | null {
    if (!this.created) return null;
    const parts = new Map(
      this.sql
        .exec<{ name: string; json: string }>('SELECT name, json FROM parts')
        .toArray()
        .map(({ name, json }) => [name, json]),
    );
    const [head, pricing] = [parts.get('head'), parts.get('pricing')];
    // Absent in a cart of an earlier format.
    const automatic = parts.get('promotions') ?? '[]';
    if (head === undefined || pricing === undefined) return null;
    const lines = this.sql.exec<{ json: string }>('SELECT json FROM lines ORDER BY id').toArray();
    const read = readParts(
      head,
      lines.map(({ json }) => json),
    );
    this.newer = read === null;
    if (!read) return null;
    this.older = read.older;
    // Written by save() below.
    return {
      head: read.head,
      pricing: JSON.parse(pricing),
      automatic: JSON.parse(automatic),
      lines: read.lines,
    };
  }

  /** Writes the parts that differ between two states, compared by identity. */
  save(known: CartState | null, after: CartState): void {
    this.createTables();
    const before = this.older ? null : known;
    this.older = false;
    if (before?.head !== after.head) this.put('head', after.head);
    if (before?.pricing !== after.pricing) this.put('pricing', after.pricing);
    if (before?.automatic !== after.automatic) this.put('promotions', after.automatic);
    if (before?.lines === after.lines) return;
    const old = new Map(before?.lines.map((line) => [line.id, line]));
    for (const line of after.lines) {
      if (old.get(line.id) !== line) {
        this.sql.exec('INSERT OR REPLACE INTO lines (id, json) VALUES (?, ?)', line.id, JSON.stringify(line));
      }
      old.delete(line.id);
    }
    for (const id of old.keys()) this.sql.exec('DELETE FROM lines WHERE id = ?', id);
  }

  /** Returns the stored rows as JSON, without the replies; null if there is no cart. */
  dump(): string | null {
    if (!this.created) return null;
    const all = (query: string) => this.sql.exec(query).toArray();
    return JSON.stringify({
      parts: all('SELECT name, json FROM parts ORDER BY name'),
      lines: all('SELECT id, json FROM lines ORDER BY id'),
      history: this.history.rows(),
    });
  }

  /** Writes the rows of a {@link dump}; there must be no cart. */
  restore({ parts, lines, history }: CartContent): void {
    this.createTables();
    for (const { name, json } of parts)
      this.sql.exec('INSERT INTO parts (name, json) VALUES (?, ?)', name, json);
    for (const { id, json } of lines) this.sql.exec('INSERT INTO lines (id, json) VALUES (?, ?)', id, json);
    this.history.restore(history);
  }

  private put(name: 'head' | 'pricing' | 'promotions', value: object): void {
    this.sql.exec('INSERT OR REPLACE INTO parts (name, json) VALUES (?, ?)', name, JSON.stringify(value));
  }

  private createTables(): void {
    if (this.created) return;
    this.sql.exec(`
      CREATE TABLE parts (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE lines (id INTEGER PRIMARY KEY, json TEXT NOT NULL);
    `);
    this.created = true;
    this.history.create();
  }
}

/**
 * The error for a cart that a newer version stored before a deploy was rolled back. The object neither reads
 * nor writes it, and the client gets a 503 as if the object were unreachable.
 */
export class NewerFormat extends Error {
  constructor() {
    super('Durable Object: the cart was stored by a newer version');
  }
}
