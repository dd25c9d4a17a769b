import { DurableObject } from 'cloudflare:workers';
import { now } from '../../kernel/core/clock.ts';
import { database } from '../../kernel/data/database.ts';
import type { TenantState } from '../../tenants/index.ts';
import { type Principal, principalOf } from '../principal.ts';
import { applicationById, touch } from '../store.ts';
import type { ApplicationRow } from '../tables.ts';
import type { TokenIdentity } from '../token.ts';
import { type Grant, type Journal, type Report, SlidingWindow, type Usage } from './sliding-window.ts';

/** The tenant's state is asked for again when it is older than this (ms). */
const TENANT_MAX_AGE_MS = 500;
/** Without a word from anybody the application is read again after this long (ms). */
const APPLICATION_MAX_AGE_MS = 30_000;
/** `last_used_at` is written at most this often (ms). */
const TOUCH_INTERVAL_MS = 600_000;

/** What an isolate asks for, with what it used under leases that it has given up. */
export interface LeaseRequest extends TokenIdentity {
  /** Requests that wait for the answer, and how many more are expected within the second. */
  readonly waiting: number;
  readonly ahead: number;
  readonly reports: readonly Report[];
  /** What was admitted without a lease while the limiter could not be reached. */
  readonly unleased: Usage;
}

/** A lease, or why there is none. `remaining` is what is free beside the lease's own permits. */
export type LeaseAnswer =
  | {
      readonly ok: true;
      readonly facts: Principal;
      readonly grant: Grant;
      readonly remaining: number;
      /** ms until the first of what counts now leaves the window. */
      readonly freesIn: number;
    }
  | { readonly ok: false; readonly reason: 'unauthorized' }
  | { readonly ok: false; readonly reason: 'unavailable' }
  | {
      readonly ok: false;
      readonly reason: 'rate_limited';
      readonly facts: Principal;
      readonly retryIn: number;
    };

/** What a token may do as of now, or why it is refused. */
export type Verification =
  | { readonly ok: true; readonly facts: Principal }
  | { readonly ok: false; readonly reason: 'unauthorized' | 'unavailable' };

/**
 * The exact request limit of one application, given out as leases (see window.ts), and the place that
 * says who its tokens are. One row for each lease and for each second, so an eviction forgets nothing.
 * Named `<tenant id>:<application id>`.
 */
export class RateLimiter extends DurableObject<Env> {
  private readonly ledger: SlidingWindow;
  private application: { row: ApplicationRow | null; readAt: number } | null = null;
  private reading: Promise<void> = Promise.resolve();
  private refreshing: Promise<void> | null = null;
  private tenant: { state: Promise<TenantState | null>; askedAt: number } | null = null;
  private touchedAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.ledger = ledgerOf(ctx.storage.sql);
  }

  /** Settles what was used, and gives out a lease for the requests that wait and some more. */
  async lease(request: LeaseRequest): Promise<LeaseAnswer> {
    const tenant = await this.readBoth(request);
    if (!tenant) return { ok: false, reason: 'unavailable' };
    // From here on nothing waits: the application is as it is now, and counting and giving out are one step.
    const row = this.application?.row;
    const at = now();
    this.ledger.settle(request.reports);
    this.ledger.settleUnleased(request.unleased, at);
    if (!row || !authentic(row, request.hash)) return { ok: false, reason: 'unauthorized' };
    const facts = principalOf(row, tenant);
    const grant = this.ledger.grant(request.waiting, request.ahead, facts.limit, at);
    const free = facts.limit - this.ledger.counted(at);
    if (!grant) {
      const retryIn = Math.max(1, this.ledger.freesIn(at, 1 - free));
      return { ok: false, reason: 'rate_limited', facts, retryIn };
    }
    this.touch(row, at);
    return { ok: true, facts, grant, remaining: free, freesIn: this.ledger.freesIn(at, 1) };
  }

  /** Returns who a token is and what it may do as of now. Counts nothing and gives out no lease. */
  async verify(identity: TokenIdentity): Promise<Verification> {
    const tenant = await this.readBoth(identity);
    if (!tenant) return { ok: false, reason: 'unavailable' };
    const row = this.application?.row;
    if (!row || !authentic(row, identity.hash)) return { ok: false, reason: 'unauthorized' };
    return { ok: true, facts: principalOf(row, tenant) };
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

  /** Reads application and tenant where they are too old; the tenant as it is then, null where one can't be had. */
  private async readBoth(identity: TokenIdentity): Promise<TenantState | null> {
    const asked = this.readTenant(identity.tenantId);
    const known = await this.readApplication(identity).then(
      () => true,
      () => false,
    );
    const tenant = await asked;
    return known ? tenant : null;
  }

  private async readApplication({ tenantId, applicationId }: TokenIdentity): Promise<void> {
    if (this.application && now() - this.application.readAt <= APPLICATION_MAX_AGE_MS) return;
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
    if (this.tenant && askedAt - this.tenant.askedAt < TENANT_MAX_AGE_MS) return this.tenant.state;
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

  private touch(row: ApplicationRow, at: number): void {
    if (at - this.touchedAt < TOUCH_INTERVAL_MS) return;
    this.touchedAt = at;
    this.ctx.waitUntil(touch(database(this.env), row.tenantId, row.id).then(undefined, () => undefined));
  }
}

/** Whether a token with this hash is the application's, and works now. */
function authentic(row: ApplicationRow, hash: string): boolean {
  if (row.status !== 'active' || (row.expiresAt !== null && row.expiresAt <= now())) return false;
  if (row.tokenHash === hash) return true;
  return row.earlierTokens.some((earlier) => earlier.hash === hash && earlier.until > now());
}

/** The ledger as it was written down, one row for each second and each lease, and writing itself down. */
function ledgerOf(sql: SqlStorage): SlidingWindow {
  sql.exec('CREATE TABLE IF NOT EXISTS seconds (second INTEGER PRIMARY KEY, used INTEGER NOT NULL)');
  sql.exec(`CREATE TABLE IF NOT EXISTS grants (
    id INTEGER PRIMARY KEY AUTOINCREMENT, permits INTEGER NOT NULL, granted_at INTEGER NOT NULL)`);
  const insert = 'INSERT INTO grants (permits, granted_at) VALUES (?, ?) RETURNING id';
  const upsert =
    'INSERT INTO seconds VALUES (?, ?) ON CONFLICT (second) DO UPDATE SET used = used + excluded.used';
  const journal: Journal = {
    granted: (permits, grantedAt) => sql.exec<{ id: number }>(insert, permits, grantedAt).one().id,
    settled: (id) => void sql.exec('DELETE FROM grants WHERE id = ?', id),
    used: (usage) => {
      for (const [second, used] of usage) sql.exec(upsert, second, used);
    },
    forgot: (before) => {
      sql.exec('DELETE FROM seconds WHERE second < ?', before);
      sql.exec('DELETE FROM grants WHERE granted_at < ?', before * 1000);
    },
  };
  const seconds = sql.exec<{ second: number; used: number }>('SELECT second, used FROM seconds').toArray();
  const grants = sql.exec<{ id: number; permits: number; granted_at: number }>('SELECT * FROM grants');
  return new SlidingWindow(
    journal,
    seconds.map(({ second, used }) => [second, used] as const),
    grants.toArray().map(({ id, permits, granted_at }) => ({ id, permits, grantedAt: granted_at })),
  );
}
