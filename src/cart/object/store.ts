import { now } from '../../kernel/core/clock.ts';
import { type HistoryEntry, MAX_HISTORY_VERSIONS } from './history.ts';
import type { CartState } from './state.ts';
import { readParts } from './stored-parts.ts';

/** How long a reply is stored (ms). */
const REPLY_RETENTION_MS = 24 * 3600_000;
/** The most stored replies of a cart. None is evicted early, since its key could then apply twice. */
const MAX_REPLIES = 1_000;
/** The most bytes of all stored replies; beyond it the oldest lose their carts. */
const MAX_REPLY_BYTES = 256 * 1024;

/** After how many versions the history is pruned. */
const HISTORY_PRUNE_INTERVAL = 50;
const HISTORY_TABLE = 'CREATE TABLE IF NOT EXISTS history (version INTEGER PRIMARY KEY, json TEXT NOT NULL)';

/** The reply to a request with an Idempotency-Key. */
export interface StoredReply {
  readonly fingerprint: string;
  /** JSON; without the cart if that was dropped for its size. */
  readonly reply: string;
}

/** Totals of the stored replies. */
interface ReplyTotals {
  readonly count: number;
  readonly bytes: number;
  /** When the oldest reply was stored (ms). */
  readonly oldest: number | null;
}

/**
 * The SQL storage of one Cart object: the head, the pricing settings, the automatic promotions, a row per line, the
 * last versions, and the replies by Idempotency-Key ({@link MAX_REPLIES}, {@link MAX_REPLY_BYTES},
 * {@link REPLY_RETENTION_MS}). Writes nothing for a cart that was never created.
 */
export class CartStore {
  /** Whether a newer version stored the cart: then it must not be read or written. */
  newer = false;
  private readonly sql: SqlStorage;
  private created: boolean;
  /** False until the first reply is stored. */
  private hasReplies: boolean;
  /** False in a cart that was made before carts had a history. */
  private hasHistory: boolean;
  /** Whether the stored format is older: the next save rewrites everything. */
  private older = false;
  private replyTotals: ReplyTotals | null = null;

  constructor(storage: DurableObjectStorage) {
    this.sql = storage.sql;
    const tables = this.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('parts', 'answers', 'history')")
      .toArray()
      .map(({ name }) => name);
    this.created = tables.includes('parts');
    this.hasReplies = tables.includes('answers');
    this.hasHistory = tables.includes('history');
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

  /** Returns the reply stored for this key in the last 24 hours. */
  reply(key: string): StoredReply | null {
    if (!this.hasReplies) return null;
    const [kept] = this.sql
      .exec<{ fingerprint: string; reply: string }>(
        'SELECT fingerprint, reply FROM answers WHERE key = ? AND at > ?',
        key,
        now() - REPLY_RETENTION_MS,
      )
      .toArray();
    return kept ?? null;
  }

  /** Returns how long new keys are rejected (ms); 0 below the limit. */
  blockedForMs(): number {
    this.pruneReplies();
    return this.totals().count < MAX_REPLIES ? 0 : this.repliesExpireAt() - now();
  }

  /** Stores a reply; beyond the size limit, drops the carts of the oldest replies. */
  saveReply(key: string, { fingerprint, reply }: StoredReply): void {
    this.createReplies();
    this.pruneReplies();
    this.sql.exec(
      `INSERT INTO answers (key, fingerprint, reply, at) SELECT ?1, ?2,
        iif(length(CAST(?3 AS BLOB)) > ?5, json_remove(?3, '$.cart'), ?3), ?4`,
      key,
      fingerprint,
      reply,
      now(),
      MAX_REPLY_BYTES,
    );
    this.replyTotals = null;
    if (this.totals().bytes <= MAX_REPLY_BYTES) return;
    this.sql.exec(
      `UPDATE answers SET reply = json_remove(reply, '$.cart') WHERE key IN (SELECT key FROM (SELECT key,
        sum(length(CAST(reply AS BLOB))) OVER (ORDER BY at DESC, key) AS total FROM answers) WHERE total > ?)`,
      MAX_REPLY_BYTES,
    );
    this.replyTotals = null;
  }

  /** Returns when the oldest reply expires (ms). */
  repliesExpireAt(): number {
    const { oldest } = this.totals();
    return oldest === null ? Number.POSITIVE_INFINITY : oldest + REPLY_RETENTION_MS;
  }

  /** Deletes replies older than 24 hours. */
  pruneReplies(): void {
    if (this.repliesExpireAt() > now()) return;
    this.sql.exec('DELETE FROM answers WHERE at <= ?', now() - REPLY_RETENTION_MS);
    this.replyTotals = null;
  }

  /** Drops the carts from all replies, and with them personal data; the keys still apply once. */
  dropReplyCarts(): void {
    if (this.hasReplies) this.sql.exec("UPDATE answers SET reply = json_remove(reply, '$.cart')");
    this.replyTotals = null;
  }

  /** Deletes all replies. */
  deleteReplies(): void {
    if (this.hasReplies) this.sql.exec('DELETE FROM answers');
    this.replyTotals = null;
  }

  /** Adds a version to the history. Deletes those beyond {@link MAX_HISTORY_VERSIONS} several at once. */
  addHistory(version: number, entry: HistoryEntry): void {
    if (!this.hasHistory) {
      this.sql.exec(HISTORY_TABLE);
      this.hasHistory = true;
    }
    this.sql.exec(
      'INSERT OR REPLACE INTO history (version, json) VALUES (?, ?)',
      version,
      JSON.stringify(entry),
    );
    if (version % HISTORY_PRUNE_INTERVAL > 0 || version <= MAX_HISTORY_VERSIONS) return;
    this.sql.exec('DELETE FROM history WHERE version <= ?', version - MAX_HISTORY_VERSIONS);
  }

  /** Returns the history, newest version first. */
  history(): (HistoryEntry & { readonly version: number })[] {
    if (!this.hasHistory) return [];
    return this.sql
      .exec<{ version: number; json: string }>(
        'SELECT version, json FROM history ORDER BY version DESC LIMIT ?',
        MAX_HISTORY_VERSIONS,
      )
      .toArray()
      .map(({ version, json }) => ({ version, ...(JSON.parse(json) as HistoryEntry) }));
  }

  /** Deletes the history. */
  deleteHistory(): void {
    if (this.hasHistory) this.sql.exec('DELETE FROM history');
  }

  private totals(): ReplyTotals {
    const none = { count: 0, bytes: 0, oldest: null };
    if (!this.hasReplies) return none;
    this.replyTotals ??=
      this.sql
        .exec<{ count: number; bytes: number; oldest: number | null }>(
          `SELECT count(*) AS count, coalesce(sum(length(CAST(reply AS BLOB))), 0) AS bytes, min(at) AS oldest
            FROM answers`,
        )
        .toArray()[0] ?? none;
    return this.replyTotals;
  }

  private put(name: 'head' | 'pricing' | 'promotions', value: object): void {
    this.sql.exec('INSERT OR REPLACE INTO parts (name, json) VALUES (?, ?)', name, JSON.stringify(value));
  }

  private createTables(): void {
    if (this.created) return;
    this.sql.exec(`
      CREATE TABLE parts (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE lines (id INTEGER PRIMARY KEY, json TEXT NOT NULL);
      ${HISTORY_TABLE};
    `);
    this.created = true;
    this.hasHistory = true;
  }

  private createReplies(): void {
    if (this.hasReplies) return;
    this.sql.exec(`
      CREATE TABLE answers (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, reply TEXT NOT NULL,
        at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX answers_at ON answers (at);
    `);
    this.hasReplies = true;
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
