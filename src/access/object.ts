import { DurableObject } from 'cloudflare:workers';
import { now } from '../kernel/clock.ts';
import { database } from '../kernel/database.ts';
import type { TenantState } from '../tenants/index.ts';
import { type Facts, factsOf } from './facts.ts';
import { applicationById, touch } from './store.ts';
import type { ApplicationRow } from './tables.ts';
import { type Grant, Ledger, share, type Usage } from './window.ts';

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
  /** {@link TokenIdentity.hash} of the token. */
  readonly hash: string;
  /** Requests that wait for the answer, and how many more are expected within the second. */
  readonly waiting: number;
  readonly ahead: number;
  readonly reports: readonly { readonly id: number; readonly usage: Usage }[];
  /** What was admitted without a lease while the limiter could not be reached. */
  readonly unleased: Usage;
}

/** A lease, or why there is none. `remaining` is what is free beside the lease's own permits. */
export type LeaseAnswer =
  | {
      readonly ok: true;
      readonly facts: Facts;
      readonly grant: Grant;
      readonly remaining: number;
      /** ms until the first of what counts now leaves the window. */
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
  private readonly ledger = new Ledger();
  private application: { row: ApplicationRow | null; readAt: number } | null = null;
  private reading: Promise<void> = Promise.resolve();
  private refreshing: Promise<void> | null = null;
  private tenant: { state: Promise<TenantState | null>; askedAt: number } | null = null;
  private touchedAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    sql.exec(`CREATE TABLE IF NOT EXISTS seconds (second INTEGER PRIMARY KEY, used INTEGER NOT NULL)`);
    sql.exec(`CREATE TABLE IF NOT EXISTS grants (
      id INTEGER PRIMARY KEY AUTOINCREMENT, permits INTEGER NOT NULL, granted_at INTEGER NOT NULL)`);
    for (const row of sql.exec<{ second: number; used: number }>('SELECT second, used FROM seconds')) {
      this.ledger.seconds.set(row.second, row.used);
    }
    const grants = sql.exec<{ id: number; permits: number; granted_at: number }>('SELECT * FROM grants');
    for (const row of grants) {
      this.ledger.grants.set(row.id, { id: row.id, permits: row.permits, grantedAt: row.granted_at });
    }
  }

  /** Settles what was used, and gives out a lease for the requests that wait and some more. */
  async lease(request: LeaseRequest): Promise<LeaseAnswer> {
    const asked = this.readTenant(request.tenantId);
    const known = await this.readApplication(request).then(
      () => true,
      () => false,
    );
    const tenant = await asked;
    if (!known || !tenant) return { ok: false, reason: 'unavailable' };
    // From here on nothing waits: the application is as it is now, and counting and giving out are one step.
    const row = this.application?.row;
    this.settle(request);
    if (!row || !authentic(row, request.hash)) return { ok: false, reason: 'unauthorized' };
    const facts = factsOf(row, tenant);
    const at = now();
    const free = facts.limit - this.ledger.counted(at);
    const permits = share(request.waiting, Math.min(request.ahead, Math.ceil(facts.limit / 10)), free);
    if (permits === 0) {
      const retryIn = Math.max(1, this.ledger.freesIn(at, 1 - free));
      return { ok: false, reason: 'rate_limited', facts, retryIn };
    }
    const grant = this.grant(permits, at);
    this.touch(row, at);
    return { ok: true, facts, grant, remaining: free - permits, freesIn: this.ledger.freesIn(at, 1) };
  }

  /** Reads the application from D1 again. Once it answers, no older state is ever leased out. */
  async reload(tenantId: number, applicationId: number): Promise<void> {
    // One after the other, so that a slow old read can't overwrite a newer one.
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
    return { used: this.ledger.counted(now()) };
  }

  private async readApplication({ tenantId, applicationId }: LeaseRequest): Promise<void> {
    if (this.application && now() - this.application.readAt <= APPLICATION_AGE) return;
    this.refreshing ??= this.reload(tenantId, applicationId).finally(() => {
      this.refreshing = null;
    });
    await this.refreshing;
  }

  /**
   * The tenant's state, which was asked for half a second ago at most; those who ask meanwhile share the
   * call. Null where it can't be had: an old one would let a suspended tenant go on.
   */
  private readTenant(tenantId: number): Promise<TenantState | null> {
    const askedAt = now();
    if (this.tenant && askedAt - this.tenant.askedAt < TENANT_AGE) return this.tenant.state;
    const state = this.env.TENANT.getByName(String(tenantId))
      .current(tenantId)
      .then((answer) => (answer.ok ? answer.state : null))
      .catch(() => {
        if (this.tenant?.state === state) this.tenant = null;
        return null;
      });
    this.tenant = { state, askedAt };
    return state;
  }

  private settle({ reports, unleased }: LeaseRequest): void {
    const { sql } = this.ctx.storage;
    for (const { id, usage } of reports) {
      const used = this.ledger.settle(id, usage);
      if (!used) continue;
      sql.exec('DELETE FROM grants WHERE id = ?', id);
      this.note(used);
    }
    this.note(this.ledger.settleUnleased(unleased, now()));
  }

  private note(usage: Usage): void {
    const { sql } = this.ctx.storage;
    const upsert =
      'INSERT INTO seconds VALUES (?, ?) ON CONFLICT (second) DO UPDATE SET used = used + excluded.used';
    for (const [second, used] of usage) sql.exec(upsert, second, used);
  }

  private grant(permits: number, grantedAt: number): Grant {
    const { sql } = this.ctx.storage;
    const oldest = this.ledger.forget(grantedAt);
    sql.exec('DELETE FROM seconds WHERE second < ?', oldest);
    sql.exec('DELETE FROM grants WHERE granted_at < ?', oldest * 1000);
    const insert = 'INSERT INTO grants (permits, granted_at) VALUES (?, ?) RETURNING id';
    const { id } = sql.exec<{ id: number }>(insert, permits, grantedAt).one();
    const grant = { id, permits, grantedAt };
    this.ledger.grants.set(id, grant);
    return grant;
  }

  private touch(row: ApplicationRow, at: number): void {
    if (at - this.touchedAt < TOUCH_EVERY) return;
    this.touchedAt = at;
    this.ctx.waitUntil(touch(database(this.env), row.tenantId, row.id).then(undefined, () => undefined));
  }
}

/** Whether a token with this hash is the application's, and works now. */
function authentic(row: ApplicationRow, hash: string): boolean {
  if (row.status !== 'active' || (row.expiresAt !== null && row.expiresAt <= now())) return false;
  if (row.tokenHash === hash) return true;
  return row.previousHash === hash && (row.previousUntil ?? 0) > now();
}
