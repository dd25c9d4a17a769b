import { DurableObject } from 'cloudflare:workers';
import { now } from '../kernel/clock.ts';
import { database } from '../kernel/database.ts';
import type { TenantState } from '../tenants/index.ts';
import { type Facts, factsOf } from './facts.ts';
import { applicationById, touch } from './store.ts';
import type { ApplicationRow } from './tables.ts';
import { counted, freesIn, type Grant, settleUsage, share, type Usage } from './window.ts';

/** The tenant's state is asked for again when it is older than this (ms). */
const TENANT_AGE = 500;
/** Without a word from anybody the application is read again after this long (ms). */
const APPLICATION_AGE = 30_000;
/** `last_used_at` is written at most this often (ms). */
const TOUCH_EVERY = 600_000;

/** What an isolate asks for, with what it used under leases that it has given up. */
export interface LeaseRequest {
  readonly tenantId: number;
  readonly applicationId: number;
  readonly hash: string;
  readonly want: number;
  readonly reports: readonly { readonly id: number; readonly usage: Usage }[];
}

/** A lease, or why there is none. `remaining` is what is free beside the lease's own permits. */
export type LeaseAnswer =
  | {
      readonly ok: true;
      readonly facts: Facts;
      readonly grant: Grant;
      readonly remaining: number;
      readonly freesIn: number;
    }
  | { readonly ok: false; readonly reason: 'unauthorized' }
  | { readonly ok: false; readonly reason: 'unavailable' }
  | { readonly ok: false; readonly reason: 'rate_limited'; readonly facts: Facts; readonly retryIn: number };

/**
 * The exact request limit of one application, given out as leases (see window.ts), and the place that
 * says who its tokens are. One row for each lease and for each second, so an eviction forgets nothing.
 * Named `<tenant id>:<application id>`.
 */
export class RateLimiter extends DurableObject<Env> {
  private readonly counts = { seconds: new Map<number, number>(), grants: new Map<number, Grant>() };
  private application: { row: ApplicationRow | null; readAt: number } | null = null;
  private tenant: { state: TenantState; readAt: number } | null = null;
  private reading: Promise<void> = Promise.resolve();
  private touchedAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    sql.exec(`CREATE TABLE IF NOT EXISTS seconds (second INTEGER PRIMARY KEY, used INTEGER NOT NULL)`);
    sql.exec(`CREATE TABLE IF NOT EXISTS grants (
      id INTEGER PRIMARY KEY AUTOINCREMENT, permits INTEGER NOT NULL, granted_at INTEGER NOT NULL)`);
    for (const row of sql.exec<{ second: number; used: number }>('SELECT second, used FROM seconds')) {
      this.counts.seconds.set(row.second, row.used);
    }
    const grants = sql.exec<{ id: number; permits: number; granted_at: number }>('SELECT * FROM grants');
    for (const row of grants) {
      this.counts.grants.set(row.id, { id: row.id, permits: row.permits, grantedAt: row.granted_at });
    }
  }

  /** Settles what was used, and gives out a lease for at most `want` requests of the next second. */
  async lease(request: LeaseRequest): Promise<LeaseAnswer> {
    const [row, tenant] = await Promise.all([this.readApplication(request), this.readTenant(request)]);
    if (!tenant) return { ok: false, reason: 'unavailable' };
    if (!row) return { ok: false, reason: 'unauthorized' };
    this.settle(request);
    if (!this.authentic(row, request.hash)) return { ok: false, reason: 'unauthorized' };
    const facts = factsOf(row, tenant);
    const at = now();
    const free = facts.limit - counted(this.counts, at);
    const permits = share(Math.min(request.want, Math.ceil(facts.limit / 10)), free);
    if (permits === 0) {
      const retryIn = Math.max(1, freesIn(this.counts, at));
      return { ok: false, reason: 'rate_limited', facts, retryIn };
    }
    const grant = this.grant(permits, at);
    this.touch(row);
    return { ok: true, facts, grant, remaining: free - permits, freesIn: freesIn(this.counts, at) };
  }

  /** Reads the application from D1 again. Once it answers, no older state is ever leased out. */
  async reload(tenantId: number, applicationId: number): Promise<void> {
    const read = this.reading.then(async () => {
      const readAt = now();
      const found = await applicationById(database(this.env), tenantId, applicationId);
      this.application = { row: found.ok ? found.value : null, readAt };
    });
    this.reading = read.catch(() => undefined);
    await read;
  }

  /** The requests that count in the last 60 seconds, for the panels. */
  usage(): { used: number } {
    return { used: counted(this.counts, now()) };
  }

  private authentic(row: ApplicationRow, hash: string): boolean {
    if (row.status !== 'active' || (row.expiresAt !== null && row.expiresAt <= now())) return false;
    if (row.tokenHash === hash) return true;
    return row.previousHash === hash && (row.previousUntil ?? 0) > now();
  }

  private async readApplication({ tenantId, applicationId }: LeaseRequest): Promise<ApplicationRow | null> {
    const age = now() - (this.application?.readAt ?? 0);
    if (!this.application || age > APPLICATION_AGE) await this.reload(tenantId, applicationId);
    return this.application?.row ?? null;
  }

  private async readTenant({ tenantId }: LeaseRequest): Promise<TenantState | null> {
    const readAt = now();
    if (this.tenant && readAt - this.tenant.readAt < TENANT_AGE) return this.tenant.state;
    try {
      const answer = await this.env.TENANT.getByName(String(tenantId)).current(tenantId);
      this.tenant = answer.ok ? { state: answer.state, readAt } : null;
      return answer.ok ? answer.state : null;
    } catch {
      // An old state would let a suspended tenant go on; the isolate's own allowance takes over.
      return null;
    }
  }

  private settle({ reports }: LeaseRequest): void {
    const { sql } = this.ctx.storage;
    for (const { id, usage } of reports) {
      const grant = this.counts.grants.get(id);
      if (!grant) continue;
      this.counts.grants.delete(id);
      sql.exec('DELETE FROM grants WHERE id = ?', id);
      for (const [second, used] of settleUsage(grant, usage)) {
        this.counts.seconds.set(second, (this.counts.seconds.get(second) ?? 0) + used);
        sql.exec(
          'INSERT INTO seconds VALUES (?, ?) ON CONFLICT (second) DO UPDATE SET used = used + excluded.used',
          second,
          used,
        );
      }
    }
  }

  private grant(permits: number, grantedAt: number): Grant {
    const { sql } = this.ctx.storage;
    this.forget(grantedAt);
    const { id } = sql
      .exec<{ id: number }>(
        'INSERT INTO grants (permits, granted_at) VALUES (?, ?) RETURNING id',
        permits,
        grantedAt,
      )
      .one();
    const grant = { id, permits, grantedAt };
    this.counts.grants.set(id, grant);
    return grant;
  }

  /** Drops what left the window two seconds ago or longer. */
  private forget(at: number): void {
    const { sql } = this.ctx.storage;
    const oldest = Math.floor(at / 1000) - 63;
    for (const second of this.counts.seconds.keys()) if (second < oldest) this.counts.seconds.delete(second);
    for (const grant of this.counts.grants.values())
      if (grant.grantedAt < oldest * 1000) this.counts.grants.delete(grant.id);
    sql.exec('DELETE FROM seconds WHERE second < ?', oldest);
    sql.exec('DELETE FROM grants WHERE granted_at < ?', oldest * 1000);
  }

  private touch(row: ApplicationRow): void {
    if (now() - this.touchedAt < TOUCH_EVERY) return;
    this.touchedAt = now();
    this.ctx.waitUntil(touch(database(this.env), row.tenantId, row.id).then(undefined, () => undefined));
  }
}
