import { now } from '../../kernel/core/clock.ts';
import { readParts } from './format.ts';
import type { CartState } from './state.ts';

/** How long an answer is kept (ms). */
const ANSWER_LIFE = 24 * 3600_000;
/** How many answers a cart keeps: one that is forgotten early would let its key apply twice. */
const MAX_ANSWERS = 1_000;
/** How many bytes answers take together; beyond that the oldest keep only that they were given. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** An answer that was given to an Idempotency-Key. */
export interface KeptAnswer {
  readonly fingerprint: string;
  /** JSON; of one that was dropped for its size, all but the cart. */
  readonly reply: string;
}

/** What the kept answers come to. */
interface Kept {
  readonly count: number;
  readonly bytes: number;
  /** When the oldest was given (ms). */
  readonly oldest: number | null;
}

/**
 * The SQL of one cart's object: the head and the tenant's settings, one row for each line, and the answers
 * kept by Idempotency-Key ({@link MAX_ANSWERS}, {@link MAX_ANSWER_BYTES}, {@link ANSWER_LIFE}). Nothing is
 * written for a cart that was never made.
 */
export class CartStore {
  /** Whether a newer version has stored the cart: then it must not be touched. */
  newer = false;
  private readonly sql: SqlStorage;
  private made: boolean;
  /** Whether what is stored is of an older format: the next save writes all of it. */
  private older = false;
  private known: Kept | null = null;

  constructor(storage: DurableObjectStorage) {
    this.sql = storage.sql;
    this.made = this.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'parts'").toArray().length > 0;
  }

  /** Returns the cart in today's format; null when there is none, or a newer version has stored it. */
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
    const read = readParts(
      head,
      lines.map(({ json }) => json),
    );
    this.newer = read === null;
    if (!read) return null;
    this.older = read.older;
    // Written by save() below.
    return { head: read.head, pricing: JSON.parse(pricing), lines: read.lines };
  }

  /** Writes what differs between two states: parts that both share are not written. */
  save(known: CartState | null, after: CartState): void {
    this.make();
    const before = this.older ? null : known;
    this.older = false;
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
        now() - ANSWER_LIFE,
      )
      .toArray();
    return kept ?? null;
  }

  /** Returns for how long no more keys are taken (ms): forgetting one early would let it apply twice. */
  fullFor(): number {
    this.pruneAnswers();
    return this.kept().count < MAX_ANSWERS ? 0 : this.answersEnd() - now();
  }

  /** Keeps an answer; where all take too much, the oldest keep only that they were given. */
  keep(key: string, { fingerprint, reply }: KeptAnswer): void {
    this.make();
    this.pruneAnswers();
    this.sql.exec(
      `INSERT INTO answers (key, fingerprint, reply, at) SELECT ?1, ?2,
        iif(length(CAST(?3 AS BLOB)) > ?5, json_remove(?3, '$.cart'), ?3), ?4`,
      key,
      fingerprint,
      reply,
      now(),
      MAX_ANSWER_BYTES,
    );
    this.known = null;
    if (this.kept().bytes <= MAX_ANSWER_BYTES) return;
    this.sql.exec(
      `UPDATE answers SET reply = json_remove(reply, '$.cart') WHERE key IN (SELECT key FROM (SELECT key,
        sum(length(CAST(reply AS BLOB))) OVER (ORDER BY at DESC, key) AS total FROM answers) WHERE total > ?)`,
      MAX_ANSWER_BYTES,
    );
    this.known = null;
  }

  /** When the oldest answer is forgotten (ms). */
  answersEnd(): number {
    const { oldest } = this.kept();
    return oldest === null ? Number.POSITIVE_INFINITY : oldest + ANSWER_LIFE;
  }

  /** Forgets answers that are older than 24 hours. */
  pruneAnswers(): void {
    if (this.answersEnd() > now()) return;
    this.sql.exec('DELETE FROM answers WHERE at <= ?', now() - ANSWER_LIFE);
    this.known = null;
  }

  /** Drops the carts in the answers, and with them whose they were; the keys still apply once. */
  dropBodies(): void {
    if (this.made) this.sql.exec("UPDATE answers SET reply = json_remove(reply, '$.cart')");
    this.known = null;
  }

  /** Forgets every answer. */
  forgetAnswers(): void {
    if (this.made) this.sql.exec('DELETE FROM answers');
    this.known = null;
  }

  private kept(): Kept {
    const none = { count: 0, bytes: 0, oldest: null };
    if (!this.made) return none;
    this.known ??=
      this.sql
        .exec<{ count: number; bytes: number; oldest: number | null }>(
          `SELECT count(*) AS count, coalesce(sum(length(CAST(reply AS BLOB))), 0) AS bytes, min(at) AS oldest
            FROM answers`,
        )
        .toArray()[0] ?? none;
    return this.known;
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
