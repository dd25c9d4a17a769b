import { DurableObject } from 'cloudflare:workers';
import { isRecent, now } from '../../kernel/core/clock.ts';
import { database } from '../../kernel/data/database.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import { placedDatabase } from '../../kernel/data/tenant-context.ts';
import { learnShard, shardNow, shardOf } from '../../kernel/shards/shard-map.ts';
import type { ShardName } from '../../kernel/shards/shard-names.ts';
import type { TenantState } from '../../tenants/index.ts';
import { type Principal, principalOf } from '../principal.ts';
import { applicationById, touch } from '../store.ts';
import type { ApplicationRow } from '../tables.ts';
import type { ApplicationName, TokenIdentity } from '../token.ts';
import type { Demand, Grant, Report, Usage } from './sliding-window.ts';
import { LeaseIds, WindowStore } from './window-store.ts';

/** The tenant's state is read again when it is older than this (ms). */
const TENANT_MAX_AGE_MS = 500;
/** The application is read again when it is older than this (ms), even without a notification. */
const APPLICATION_MAX_AGE_MS = 30_000;
/** The shortest interval (ms) between writes of `last_used_at`. */
const TOUCH_INTERVAL_MS = 600_000;
/** The object has one window. */
const KEY = '';

/** An isolate's request for a lease, with the usage of its earlier leases. */
export interface LeaseRequest extends TokenIdentity, Demand {
  readonly reports: readonly Report[];
  /** Requests that were admitted without a lease while the limiter could not be reached. */
  readonly unleased: Usage;
}

/** A lease, or why none was granted. `remaining` excludes the lease's own permits. */
export type LeaseAnswer =
  | {
      readonly ok: true;
      readonly principal: Principal;
      readonly grant: Grant;
      readonly remaining: number;
      /** Milliseconds until the oldest counted request leaves the window. */
      readonly freesIn: number;
    }
  | { readonly ok: false; readonly reason: 'unauthorized' }
  | { readonly ok: false; readonly reason: 'unavailable' }
  | {
      readonly ok: false;
      readonly reason: 'rate_limited';
      readonly principal: Principal;
      readonly retryIn: number;
    };

/** A token's current principal, or why the token is refused. */
type Verification =
  | { readonly ok: true; readonly principal: Principal }
  | { readonly ok: false; readonly reason: 'unauthorized' | 'unavailable' };

/**
 * Enforces the exact request limit of one application by granting leases (see sliding-window.ts), and
 * verifies its tokens. Stores all counts in one row with each lease, so that an eviction loses nothing.
 * Named `<tenant id>:<application id>`.
 */
export class RateLimiter extends DurableObject<Env> {
  private readonly store = new WindowStore(this.ctx.storage.sql);
  private readonly window = this.store.load(KEY);
  private readonly ids = new LeaseIds();
  private application: { row: ApplicationRow | null; readAt: number; shard: ShardName } | null = null;
  private reading: Promise<void> = Promise.resolve();
  private refreshing: Promise<void> | null = null;
  private tenant: { state: Promise<TenantState | null>; askedAt: number } | null = null;
  private touchedAt = 0;

  /** Settles the reported usage, and grants a lease for the waiting requests and some expected ones. */
  async lease(request: LeaseRequest): Promise<LeaseAnswer> {
    const tenant = await this.readBoth(request);
    if (!tenant) return { ok: false, reason: 'unavailable' };
    const at = now();
    this.window.settle(request.reports);
    this.window.settleUnleased(request.unleased, at);
    const answer = this.decide(request, tenant, at);
    // No await since the application was read: it is current, and counting, granting and storing are atomic.
    this.store.save(KEY, this.window, at);
    return answer;
  }

  private decide(request: LeaseRequest, tenant: TenantState, at: number): LeaseAnswer {
    const row = this.application?.row;
    if (!row || !authentic(row, request.hash)) return { ok: false, reason: 'unauthorized' };
    const principal = principalOf(row, tenant);
    const grant = this.window.grant(request, { limit: principal.limit, at, id: this.ids.next(at) });
    const free = principal.limit - this.window.counted(at);
    if (!grant) {
      const retryIn = Math.max(1, this.window.freesIn(at, 1 - free));
      return { ok: false, reason: 'rate_limited', principal, retryIn };
    }
    this.touch(row, at);
    return { ok: true, principal, grant, remaining: free, freesIn: this.window.freesIn(at, 1) };
  }

  /** Returns a token's current principal. Counts nothing and grants no lease. */
  async verify(identity: TokenIdentity): Promise<Verification> {
    const tenant = await this.readBoth(identity);
    if (!tenant) return { ok: false, reason: 'unavailable' };
    const row = this.application?.row;
    if (!row || !authentic(row, identity.hash)) return { ok: false, reason: 'unauthorized' };
    return { ok: true, principal: principalOf(row, tenant) };
  }

  /** Reads the application from D1 again. After it returns, no lease is granted on older state. */
  reload(name: ApplicationName): Promise<void> {
    // The change may have been made at a shard that the tenant has just moved to.
    return this.read(name, () => shardNow(this.env, name.tenantId));
  }

  /** Returns the requests counted in the last 60 seconds, for the panels. */
  usage(): { used: number } {
    return { used: this.window.counted(now()) };
  }

  /** Refreshes stale application and tenant state. Returns the tenant, or `null` if either can't be read. */
  private async readBoth(identity: TokenIdentity): Promise<TenantState | null> {
    const asked = this.readTenant(identity.tenantId);
    try {
      await this.readApplication(identity);
      const tenant = await asked;
      // The application was read at a shard that the tenant has left, as this isolate didn't know yet.
      if (tenant && this.application?.shard !== tenant.shard) {
        await this.read(identity, () => Promise.resolve(tenant.shard));
      }
      return tenant;
    } catch {
      return null;
    }
  }

  /** Reads the application at a shard. */
  private async read(
    { tenantId, applicationId }: ApplicationName,
    shard: () => Promise<ShardName>,
  ): Promise<void> {
    // Reads run one after the other, so that a slow old read can't overwrite a newer one.
    const read = this.reading.then(async () => {
      const readAt = now();
      const placed = await placedDatabase(this.env, tenantId, shard());
      const found = await applicationById(placed, applicationId);
      this.application = { row: found.ok ? found.value : null, readAt, shard: placed.shard };
    });
    this.reading = read.catch(() => undefined);
    await read;
  }

  private async readApplication(name: ApplicationName): Promise<void> {
    if (this.application && isRecent(this.application.readAt, APPLICATION_MAX_AGE_MS)) return;
    this.refreshing ??= this.read(name, () => shardOf(this.env, name.tenantId)).finally(() => {
      this.refreshing = null;
    });
    await this.refreshing;
  }

  /**
   * Returns the tenant's state, requested at most half a second ago. Concurrent requests share the call.
   * Returns `null` if it can't be read: older state could admit a suspended tenant.
   */
  private readTenant(tenantId: number): Promise<TenantState | null> {
    const askedAt = now();
    if (this.tenant && isRecent(this.tenant.askedAt, TENANT_MAX_AGE_MS, askedAt)) return this.tenant.state;
    const state = tenantObject(this.env.TENANT, { tenantId })
      .current(tenantId)
      .then((answer) => {
        if (!answer.ok) return null;
        learnShard(tenantId, answer.state.shard);
        return answer.state;
      })
      .catch(() => {
        if (this.tenant?.state === state) this.tenant = null;
        return null;
      });
    this.tenant = { state, askedAt };
    return state;
  }

  private touch(row: ApplicationRow, at: number): void {
    if (isRecent(this.touchedAt, TOUCH_INTERVAL_MS, at)) return;
    this.touchedAt = at;
    const { tenantId, id } = row;
    const ctx = { tenantId, db: database(this.env, tenantId) };
    this.ctx.waitUntil(touch(ctx, id).then(undefined, () => undefined));
  }
}

/** Returns whether a token with this hash is a valid token of the application now. */
function authentic(row: ApplicationRow, hash: string): boolean {
  if (row.status !== 'active' || (row.expiresAt !== null && row.expiresAt <= now())) return false;
  if (row.tokenHash === hash) return true;
  return row.earlierTokens.some((earlier) => earlier.hash === hash && earlier.until > now());
}
