import { now } from '../kernel/clock.ts';
import type { CartState, Line } from './state.ts';

const DAY = 24 * 3600_000;

/** An answer that was given to an Idempotency-Key. */
export interface KeptAnswer {
  readonly fingerprint: string;
  readonly reply: string;
}

/**
 * The SQL of one cart's object: the head and the tenant's settings, one row for each line, and the answers
 * kept by Idempotency-Key. Nothing is written for a cart that was never made.
 */
export class CartStore {
  private readonly sql: SqlStorage;
  private made: boolean;

  constructor(storage: DurableObjectStorage) {
    this.sql = storage.sql;
    this.made = this.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'parts'").toArray().length > 0;
  }

  /** The cart, or null when there is none. */
  load(): CartState | null {
    if (!this.made) return null;
    const parts = new Map(
      this.sql
        .exec<{ name: string; json: string }>('SELECT name, json FROM parts')
        .toArray()
        .map(({ name, json }) => [name, json]),
    );
    const [head, pricing] = [parts.get('head'), parts.get('pricing')];
    if (head === undefined || pricing === undefined) return null;
    const lines = this.sql.exec<{ json: string }>('SELECT json FROM lines ORDER BY id').toArray();
    // Written by save() below from these very types.
    return {
      head: JSON.parse(head),
      pricing: JSON.parse(pricing),
      lines: lines.map(({ json }) => JSON.parse(json) as Line),
    };
  }

  /** Writes what differs between two states: parts that both share are not written. */
  save(before: CartState | null, after: CartState): void {
    this.make();
    if (before?.head !== after.head) this.put('head', after.head);
    if (before?.pricing !== after.pricing) this.put('pricing', after.pricing);
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

  /** What was answered to this key in the last 24 hours. */
  answer(key: string): KeptAnswer | null {
    if (!this.made) return null;
    const [kept] = this.sql
      .exec<{ fingerprint: string; reply: string }>(
        'SELECT fingerprint, reply FROM answers WHERE key = ? AND at > ?',
        key,
        now() - DAY,
      )
      .toArray();
    return kept ?? null;
  }

  /** Keeps an answer, and forgets those older than 24 hours. */
  keep(key: string, { fingerprint, reply }: KeptAnswer): void {
    this.make();
    this.sql.exec('DELETE FROM answers WHERE at <= ?', now() - DAY);
    this.sql.exec(
      'INSERT INTO answers (key, fingerprint, reply, at) VALUES (?, ?, ?, ?)',
      key,
      fingerprint,
      reply,
      now(),
    );
  }

  /** Forgets every answer. */
  forgetAnswers(): void {
    if (this.made) this.sql.exec('DELETE FROM answers');
  }

  private put(name: 'head' | 'pricing', value: object): void {
    this.sql.exec('INSERT OR REPLACE INTO parts (name, json) VALUES (?, ?)', name, JSON.stringify(value));
  }

  private make(): void {
    if (this.made) return;
    this.sql.exec(`
      CREATE TABLE parts (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE lines (id INTEGER PRIMARY KEY, json TEXT NOT NULL);
      CREATE TABLE answers (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, reply TEXT NOT NULL,
        at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX answers_at ON answers (at);
    `);
    this.made = true;
  }
}
