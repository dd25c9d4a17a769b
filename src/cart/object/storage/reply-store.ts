import { DAY, now } from '../../../kernel/core/clock.ts';

/** How long a reply is stored (ms). */
const REPLY_RETENTION_MS = DAY;
/** The most stored replies of a cart. None is evicted early, since its key could then apply twice. */
const MAX_REPLIES = 1_000;
/** The most bytes of all stored replies; beyond it the oldest lose their carts. */
const MAX_REPLY_BYTES = 256 * 1024;

/** The reply to a request with an Idempotency-Key. */
interface StoredReply {
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
 * The replies of one Cart object by Idempotency-Key: at most {@link MAX_REPLIES} and {@link MAX_REPLY_BYTES}, each for
 * {@link REPLY_RETENTION_MS}. Its table is created with the first reply.
 */
export class ReplyStore {
  private totals: ReplyTotals | null = null;

  constructor(
    private readonly sql: SqlStorage,
    private created: boolean,
  ) {}

  /** Returns the reply stored for this key in the last 24 hours. */
  find(key: string): StoredReply | null {
    if (!this.created) return null;
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
    this.prune();
    return this.read().count < MAX_REPLIES ? 0 : this.expireAt() - now();
  }

  /** Stores a reply; beyond the size limit, drops the carts of the oldest replies. */
  save(key: string, { fingerprint, reply }: StoredReply): void {
    this.create();
    this.prune();
    const { count, bytes, oldest } = this.read();
    const at = now();
    const stored = this.sql.exec<{ bytes: number }>(
      `INSERT INTO answers (key, fingerprint, reply, at) SELECT ?1, ?2,
        iif(length(CAST(?3 AS BLOB)) > ?5, json_remove(?3, '$.cart'), ?3), ?4
        RETURNING length(CAST(reply AS BLOB)) AS bytes`,
      key,
      fingerprint,
      reply,
      at,
      MAX_REPLY_BYTES,
    );
    this.totals = { count: count + 1, bytes: bytes + stored.one().bytes, oldest: oldest ?? at };
    if (this.totals.bytes <= MAX_REPLY_BYTES) return;
    // Most of the old ones have lost their carts before: each row that is written is charged for.
    this.sql.exec(
      `UPDATE answers SET reply = json_remove(reply, '$.cart') WHERE key IN (SELECT key FROM (SELECT key, at,
        json_type(reply, '$.cart') AS cart, sum(length(CAST(reply AS BLOB))) OVER (ORDER BY at DESC, key DESC) AS total
        FROM answers) WHERE total > ? AND cart IS NOT NULL)`,
      MAX_REPLY_BYTES,
    );
    this.totals = null;
  }

  /** Returns when the oldest reply expires (ms); infinity if there is none. */
  expireAt(): number {
    const { oldest } = this.read();
    return oldest === null ? Number.POSITIVE_INFINITY : oldest + REPLY_RETENTION_MS;
  }

  /** Deletes replies older than 24 hours. */
  prune(): void {
    if (this.expireAt() > now()) return;
    this.sql.exec('DELETE FROM answers WHERE at <= ?', now() - REPLY_RETENTION_MS);
    this.totals = null;
  }

  /** Drops the carts from all replies, and with them personal data; the keys still apply once. */
  dropCarts(): void {
    if (this.created) this.sql.exec("UPDATE answers SET reply = json_remove(reply, '$.cart')");
    this.totals = null;
  }

  /** Deletes all replies. */
  deleteAll(): void {
    if (this.created) this.sql.exec('DELETE FROM answers');
    this.totals = null;
  }

  private read(): ReplyTotals {
    const none = { count: 0, bytes: 0, oldest: null };
    if (!this.created) return none;
    this.totals ??=
      this.sql
        .exec<{ count: number; bytes: number; oldest: number | null }>(
          `SELECT count(*) AS count, coalesce(sum(length(CAST(reply AS BLOB))), 0) AS bytes, min(at) AS oldest
            FROM answers`,
        )
        .toArray()[0] ?? none;
    return this.totals;
  }

  private create(): void {
    if (this.created) return;
    this.sql.exec(`
      CREATE TABLE answers (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, reply TEXT NOT NULL,
        at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX answers_at ON answers (at);
    `);
    this.created = true;
  }
}
