import { DurableObject } from 'cloudflare:workers';
import { DAY, now } from '../../kernel/core/clock.ts';
import {
  type CallFilter,
  type CallRecord,
  distinct,
  type FoundCalls,
  type LogPage,
  MAX_LOGGED_CALLS,
  matches,
} from './call-record.ts';

/** How long (ms) a call is kept at most. */
const RETENTION_MS = 30 * DAY;

/**
 * The latest calls of one application: at most {@link MAX_LOGGED_CALLS}, of the last 30 days. Stores what an
 * isolate has gathered in a second as one row. Named `<tenant id>:<application id>`.
 */
export class RequestLog extends DurableObject<Env> {
  private readonly sql = this.ctx.storage.sql;
  /** How many calls the stored rows hold. */
  private stored: number;
  /** Whether the alarm is known to be set. */
  private armed = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sql.exec(`CREATE TABLE IF NOT EXISTS batches (
      id INTEGER PRIMARY KEY AUTOINCREMENT, newest INTEGER NOT NULL, size INTEGER NOT NULL, calls TEXT NOT NULL)`);
    this.stored = this.sql.exec<{ n: number }>('SELECT coalesce(sum(size), 0) AS n FROM batches').one().n;
  }

  /** Adds the calls that an isolate has gathered, and deletes those that are no longer among the newest. */
  async append(calls: readonly CallRecord[]): Promise<void> {
    const newest = calls.reduce((latest, { at }) => Math.max(latest, at), 0);
    this.sql.exec(
      'INSERT INTO batches (newest, size, calls) VALUES (?, ?, ?)',
      newest,
      calls.length,
      JSON.stringify(calls),
    );
    this.stored += calls.length;
    this.trim();
    if (this.armed) return;
    this.armed = true;
    if ((await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(newest + RETENTION_MS);
    }
  }

  /** Returns a page of the calls that a filter matches, newest first. */
  find(filter: CallFilter, { page: wanted, limit }: LogPage): FoundCalls {
    const calls = this.newest();
    const found = calls.filter((call) => matches(call, filter));
    const page = Math.max(1, Math.min(wanted, Math.ceil(found.length / limit)));
    return {
      calls: found.slice((page - 1) * limit, page * limit),
      page,
      total: found.length,
      methods: distinct(calls.map(({ method }) => method)),
      routes: distinct(calls.map(({ route }) => route)),
    };
  }

  /** Deletes calls that are older than the retention. */
  override async alarm(): Promise<void> {
    this.sql.exec('DELETE FROM batches WHERE newest <= ?', now() - RETENTION_MS);
    const { oldest, n } = this.sql
      .exec<{ oldest: number | null; n: number }>(
        'SELECT min(newest) AS oldest, coalesce(sum(size), 0) AS n FROM batches',
      )
      .one();
    this.stored = n;
    this.armed = oldest !== null;
    if (oldest !== null) await this.ctx.storage.setAlarm(oldest + RETENTION_MS);
  }

  /** Deletes the oldest rows without which the others still hold enough calls. */
  private trim(): void {
    while (this.stored > MAX_LOGGED_CALLS) {
      const oldest = 'SELECT id, size FROM batches ORDER BY id LIMIT 1';
      const { id, size } = this.sql.exec<{ id: number; size: number }>(oldest).one();
      if (this.stored - size < MAX_LOGGED_CALLS) return;
      this.sql.exec('DELETE FROM batches WHERE id = ?', id);
      this.stored -= size;
    }
  }

  /** Returns the stored calls, newest first. */
  private newest(): CallRecord[] {
    const rows = this.sql.exec<{ calls: string }>('SELECT calls FROM batches ORDER BY id DESC').toArray();
    // append() alone writes this column.
    const calls = rows.flatMap(({ calls }) => (JSON.parse(calls) as CallRecord[]).reverse());
    return calls.sort((a, b) => b.at - a.at).slice(0, MAX_LOGGED_CALLS);
  }
}
