import { DurableObject } from 'cloudflare:workers';
import { CALL_HOURS_KEPT_MS, type CallCount, callStatements, hourOf } from '../../insights/index.ts';
import { DAY, HOUR, MINUTE, now } from '../../kernel/core/clock.ts';
import { errorName, log } from '../../kernel/core/log.ts';
import { batch, database } from '../../kernel/data/database.ts';
import type { ApplicationName } from '../token.ts';
import {
  type CallBatch,
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
/** How long (ms) counts wait until they are written to the database: one write an application in this time. */
const COUNT_INTERVAL_MS = 5 * MINUTE;
/** The most calls of an hour that share a row: each row that is written or deleted is paid for. */
const MAX_CALLS_OF_ROW = 100;

/**
 * The latest calls of one application: at most {@link MAX_LOGGED_CALLS}, of the last 30 days. Adds what an isolate
 * has gathered to the newest row. Counts all calls by the hour, and writes the counts to the database every five
 * minutes. Named `<tenant id>:<application id>`.
 */
export class RequestLog extends DurableObject<Env> {
  private readonly sql = this.ctx.storage.sql;
  /** How many calls the stored rows hold. */
  private stored: number;
  /** Whether the alarm is known to be set for the counts. */
  private armed = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sql.exec(`CREATE TABLE IF NOT EXISTS batches (
      id INTEGER PRIMARY KEY, newest INTEGER NOT NULL, size INTEGER NOT NULL, calls TEXT NOT NULL)`);
    this.sql.exec(`CREATE TABLE IF NOT EXISTS hours (
      start INTEGER PRIMARY KEY, tenant_id INTEGER NOT NULL, application_id INTEGER NOT NULL,
      calls INTEGER NOT NULL, client_errors INTEGER NOT NULL, server_errors INTEGER NOT NULL)`);
    this.stored = this.sql.exec<{ n: number }>('SELECT coalesce(sum(size), 0) AS n FROM batches').one().n;
  }

  /** Adds the calls that an isolate has gathered, and deletes those that are no longer among the newest. */
  async append(application: ApplicationName, batch: CallBatch): Promise<void> {
    if (batch.size > 0) this.store(batch);
    this.trim();
    this.count(application, batch.count);
    if (this.armed) return;
    this.armed = true;
    const soon = now() + COUNT_INTERVAL_MS;
    const alarm = await this.ctx.storage.getAlarm();
    if (alarm === null || alarm > soon) await this.ctx.storage.setAlarm(soon);
  }

  /** Returns a page of the calls that a filter matches, newest first. */
  find(filter: CallFilter, { page: wanted, limit, after }: LogPage): FoundCalls {
    const calls = this.newest();
    const found = calls.filter((call) => matches(call, filter));
    const page = after ? wanted : Math.max(1, Math.min(wanted, Math.ceil(found.length / limit)));
    const from = after ? placeBehind(found, after) : (page - 1) * limit;
    return {
      calls: found.slice(from, from + limit),
      page,
      more: from + limit < found.length,
      total: found.length,
      methods: distinct(calls.map(({ method }) => method)),
      routes: distinct(calls.map(({ route }) => route)),
    };
  }

  /**
   * Writes the counts, and deletes calls that are older than the retention. Never rejects: the runtime gives up after
   * six retries. If the database fails, the counts are written five minutes later, as long as the database would keep
   * them: its tenant may be gone since a restore.
   */
  override async alarm(): Promise<void> {
    this.armed = false;
    this.sql.exec('DELETE FROM hours WHERE start <= ?', now() - CALL_HOURS_KEPT_MS);
    await this.writeCounts();
    this.sql.exec('DELETE FROM batches WHERE newest <= ?', now() - RETENTION_MS);
    const { oldest, n } = this.sql
      .exec<{ oldest: number | null; n: number }>(
        'SELECT min(newest) AS oldest, coalesce(sum(size), 0) AS n FROM batches',
      )
      .one();
    this.stored = n;
    if (oldest !== null && !this.armed) await this.ctx.storage.setAlarm(oldest + RETENTION_MS);
  }

  private store({ calls, size, newest }: CallBatch): void {
    this.stored += size;
    const last = this.sql
      .exec<Record<'id' | 'size' | 'newest', number>>(
        'SELECT id, size, newest FROM batches ORDER BY id DESC LIMIT 1',
      )
      .toArray()[0];
    if (last && last.size + size <= MAX_CALLS_OF_ROW && hourOf(last.newest) === hourOf(newest)) {
      this.sql.exec(
        `UPDATE batches SET newest = max(newest, ?), size = size + ?,
          calls = substr(calls, 1, length(calls) - 1) || ',' || substr(?, 2) WHERE id = ?`,
        newest,
        size,
        calls,
        last.id,
      );
    } else this.sql.exec('INSERT INTO batches (newest, size, calls) VALUES (?, ?, ?)', newest, size, calls);
  }

  private count({ tenantId, applicationId }: ApplicationName, { start, ...more }: CallCount): void {
    this.sql.exec(
      `INSERT INTO hours VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,
        client_errors = client_errors + excluded.client_errors, server_errors = server_errors + excluded.server_errors`,
      start,
      tenantId,
      applicationId,
      more.calls,
      more.clientErrors,
      more.serverErrors,
    );
  }

  /**
   * Writes the sums of the stored hours, and deletes those to which no isolate adds any more. Sets the alarm again if
   * the database fails.
   */
  private async writeCounts(): Promise<void> {
    const hours = this.sql
      .exec<{ start: number; tenantId: number; applicationId: number } & Record<keyof CallCount, number>>(
        `SELECT start, tenant_id AS tenantId, application_id AS applicationId, calls,
          client_errors AS clientErrors, server_errors AS serverErrors FROM hours ORDER BY start`,
      )
      .toArray();
    const [first] = hours;
    if (!first) return;
    const { tenantId } = first;
    try {
      const db = database(this.env, tenantId);
      await batch(db, callStatements(db, { ...first, hours }));
      this.sql.exec('DELETE FROM hours WHERE start < ?', hourOf(now()) - HOUR);
    } catch (error) {
      log('calls_not_counted', { tenant: tenantId, name: errorName(error) });
      this.armed = true;
      await this.ctx.storage.setAlarm(now() + COUNT_INTERVAL_MS);
    }
  }

  /** Deletes the oldest rows as long as the others hold enough calls. */
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
    const ended = now() - RETENTION_MS;
    // store() alone writes this column: the arrays of JSON that batchOf() returns, joined.
    const calls = rows.flatMap(({ calls }) => (JSON.parse(calls) as CallRecord[]).reverse());
    return calls
      .filter(({ at }) => at > ended)
      .sort((a, b) => b.at - a.at)
      .slice(0, MAX_LOGGED_CALLS);
  }
}

/** Returns the place of the first call behind another. Calls as old as a deleted one are deleted too. */
function placeBehind(calls: readonly CallRecord[], { at, id }: Pick<CallRecord, 'at' | 'id'>): number {
  const known = calls.findIndex((call) => call.id === id);
  if (known >= 0) return known + 1;
  const older = calls.findIndex((call) => call.at < at);
  return older < 0 ? calls.length : older;
}
