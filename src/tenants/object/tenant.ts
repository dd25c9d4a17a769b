import { DurableObject } from 'cloudflare:workers';
import { isRecent, now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import { type Bookmark, bookmarked, database } from '../../kernel/data/database.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { forgetShard, learnShard, shardOf } from '../../kernel/shards/shard-map.ts';
import type { ShardName } from '../../kernel/shards/shard-names.ts';
import { findTenant, movePast, publishStockChanges, type TenantState } from '../store.ts';
import type { TenantRow } from '../tables.ts';
import { BackgroundBudget, backgroundShare } from './background-budget.ts';
import { type EventPositions, type EventWait, EventWaiters, type WaitEnd } from './event-waiters.ts';

/** The row is read again when it is older than this (ms), even without a notification. */
const ROW_MAX_AGE_MS = 30_000;
/** Stock changes within this time (ms) share one catalogue version. */
const STOCK_DEBOUNCE_MS = 5_000;

/** A tenant with its settings, as its object knows it. */
export interface CachedTenant extends TenantRow, Pick<TenantState, 'bookmark'> {}

/** A committed change of a tenant's catalogue. */
export interface CatalogMove {
  readonly version: number;
  /** Whether stock has changed that no version covers yet. */
  readonly stockMoved: boolean;
  /** A position of the tenant's database that has the change; null if unknown. */
  readonly bookmark: Bookmark | null;
}

/** A tenant's state, or `not_found`. */
type StateAnswer = { ok: true; state: TenantState } | { ok: false; reason: 'not_found' };

/**
 * Caches one tenant's row: its plan, status and catalogue version must be current everywhere. D1 is the source
 * of truth; every change notifies this object. Also holds the calls that wait for the tenant's events, and the budget
 * of its background work. Named by the tenant's id.
 */
export class Tenant extends DurableObject<Env> {
  private known: TenantRow | null = null;
  private readAt = 0;
  private reading: Promise<void> = Promise.resolve();
  private refreshing: Promise<void> | null = null;
  private readonly eventWaiters = new EventWaiters();
  private readonly backgroundBudget = new BackgroundBudget(backgroundShare(this.env));
  /**
   * The highest version announced or read; a change may be announced while an earlier read is still pending.
   * Persisted, so that a restore of the database to an earlier point is detected.
   */
  private version = this.ctx.storage.kv.get<number>('version') ?? 0;
  /** A position of the tenant's database that has {@link version}. */
  private bookmark = this.ctx.storage.kv.get<Bookmark>('bookmark') ?? null;

  /** Where the tenant's rows are; null until the directory was asked, which is each time while a move may switch it. */
  private shard = this.ctx.storage.kv.get<ShardName>('shard') ?? null;
  private switching = this.ctx.storage.kv.get<boolean>('switching') ?? false;

  /** Returns the tenant's state, as {@link row} does. */
  async current(tenantId: number): Promise<StateAnswer> {
    const row = await this.row(tenantId);
    if (!row) return { ok: false, reason: 'not_found' };
    const { id, slug, status, plan, currency, currencies, catalogVersion, bookmark } = row;
    const state = { id, slug, status, plan, currency, currencies, catalogVersion, bookmark };
    return { ok: true, state: { ...state, shard: await this.place(tenantId) } };
  }

  /** Returns the tenant with its settings. Reads D1 only if no row is cached or it is older than half a minute. */
  async row(tenantId: number): Promise<CachedTenant | null> {
    if (!this.known || !isRecent(this.readAt, ROW_MAX_AGE_MS)) await this.refresh(tenantId);
    if (!this.known) return null;
    const catalogVersion = Math.max(this.known.catalogVersion, this.version);
    return { ...this.known, catalogVersion, bookmark: this.bookmark };
  }

  /** Reads the row from D1 again. After it returns, {@link current} returns no older state. */
  async reload(tenantId: number): Promise<void> {
    // Reads run one after the other, so that a slow old read can't overwrite a newer one.
    const read = this.reading.then(() => this.read(tenantId));
    this.reading = read.catch(() => undefined);
    await read;
  }

  /**
   * Records a change of the catalogue. If stock has changed that no version covers yet, an alarm publishes one version
   * for all such changes within seconds.
   */
  async catalogMoved(tenantId: number, { version, stockMoved, bookmark }: CatalogMove): Promise<void> {
    this.note(version, bookmark);
    if (!stockMoved || (await this.ctx.storage.getAlarm()) !== null) return;
    this.ctx.storage.kv.put('tenantId', tenantId);
    await this.ctx.storage.setAlarm(now() + STOCK_DEBOUNCE_MS);
  }

  /** From now until {@link moveTo} the directory is asked for the tenant's shard each time. */
  expectSwitch(): void {
    this.switching = true;
    this.ctx.storage.kv.put('switching', true);
  }

  /** Records on which shard the tenant's rows are, and reads them there. */
  async moveTo(tenantId: number, shard: ShardName): Promise<void> {
    this.switching = false;
    this.ctx.storage.kv.delete('switching');
    this.keepShard(shard);
    // A bookmark is a position of one database.
    this.bookmark = null;
    this.ctx.storage.kv.put('bookmark', null);
    await this.reload(tenantId);
  }

  /** Wakes the calls that wait for events of these types. */
  eventsRecorded(positions: EventPositions): void {
    this.eventWaiters.announce(positions);
  }

  /** Waits until an event is recorded, for the given time at most. */
  waitForEvents(wait: EventWait): Promise<WaitEnd> {
    return this.eventWaiters.wait(wait);
  }

  /** Charges background work's database time (ms). Returns how long the work must pause (ms). */
  chargeBackground(usedMs: number): number {
    return this.backgroundBudget.charge(usedMs, now());
  }

  /** Returns `true`: Durable Objects respond. Stores nothing. */
  ping(): boolean {
    return true;
  }

  /** Increments the catalogue version for the unpublished stock changes. */
  override async alarm(): Promise<void> {
    const tenantId = this.ctx.storage.kv.get<number>('tenantId');
    if (tenantId === undefined) return;
    const { value: version, bookmark } = await publishStockChanges(this.database(tenantId));
    this.note(version, bookmark);
  }

  /** Reads the row again. Concurrent callers share one read. */
  private refresh(tenantId: number): Promise<void> {
    this.refreshing ??= this.reload(tenantId).finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private database = (tenantId: number): TenantDatabase => ({ db: database(this.env, tenantId), tenantId });

  /** Returns the tenant's shard. The object asks the directory once, unless the tenant moves; the isolate learns it. */
  private async place(tenantId: number): Promise<ShardName> {
    if (this.switching) forgetShard(tenantId);
    else if (this.shard) learnShard(tenantId, this.shard);
    const shard = await shardOf(this.env, tenantId);
    if (shard !== this.shard) this.keepShard(shard);
    return shard;
  }

  private keepShard(shard: ShardName): void {
    this.shard = shard;
    this.ctx.storage.kv.put('shard', shard);
  }

  private note(version: number, bookmark: Bookmark | null): void {
    if (version <= this.version) return;
    this.version = version;
    this.bookmark = bookmark;
    this.ctx.storage.kv.put('version', version);
    this.ctx.storage.kv.put('bookmark', bookmark);
  }

  private async read(tenantId: number): Promise<void> {
    const started = now();
    const known = this.version;
    await this.place(tenantId);
    const { db } = this.database(tenantId);
    const { value: row, bookmark } = await bookmarked(db, (session) => findTenant({ db: session, tenantId }));
    if (row && row.catalogVersion < known) await this.recoverAfterRestore(tenantId, known);
    this.known = row;
    this.readAt = started;
    this.note(row?.catalogVersion ?? 0, bookmark);
  }

  /**
   * Recovers after the database was restored to a version below a published one. The caches and the indexes may
   * hold later data, so this rebuilds the indexes and moves past every published version.
   */
  private async recoverAfterRestore(tenantId: number, known: number): Promise<void> {
    log('catalog_version_went_back', { tenant: tenantId });
    await tenantObject(this.env.LIST_INDEX, { tenantId }).reset();
    await this.env.SEARCH_QUEUE.send({ tenantId, rebuild: 'start' });
    const { value: version, bookmark } = await movePast(this.database(tenantId), known);
    this.note(version, bookmark);
  }
}
