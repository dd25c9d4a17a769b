import { DurableObject } from 'cloudflare:workers';
import { now } from '../kernel/core/clock.ts';
import { database } from '../kernel/data/database.ts';
import { movePast, publishStockChanges, readState, type TenantState } from './store.ts';

/** Without a word from anybody the state is read again after this long (ms). */
const STATE_MAX_AGE_MS = 30_000;
/** Changes of stock alone are gathered this long (ms) into one step of the catalogue version. */
const STOCK_DEBOUNCE_MS = 5_000;

/** A tenant's state, or that there is no such tenant. */
export type StateAnswer = { ok: true; state: TenantState } | { ok: false; reason: 'not_found' };

/**
 * One tenant's plan, status and catalogue version: what must be known everywhere at once. The truth is
 * in D1; this object is the one place that remembers it and is told of every change.
 * Named by the tenant's id.
 */
export class Tenant extends DurableObject<Env> {
  private state: TenantState | null = null;
  private readAt = 0;
  private reading: Promise<void> = Promise.resolve();
  private refreshing: Promise<void> | null = null;
  /**
   * The highest version heard of: a change may be announced before a read that began earlier ends. It survives
   * the object, so that a database that is set back is noticed.
   */
  private version = this.ctx.storage.kv.get<number>('version') ?? 0;

  /** The tenant's state; D1 is asked only when nothing is remembered or it is half a minute old. */
  async current(tenantId: number): Promise<StateAnswer> {
    if (!this.state || now() - this.readAt > STATE_MAX_AGE_MS) await this.refresh(tenantId);
    if (!this.state) return { ok: false, reason: 'not_found' };
    const catalogVersion = Math.max(this.state.catalogVersion, this.version);
    return { ok: true, state: { ...this.state, catalogVersion } };
  }

  /** Reads the state from D1 again. Once it answers, no older state is ever given out. */
  async reload(tenantId: number): Promise<void> {
    // One after the other, so that a slow old read can't overwrite a newer one.
    const read = this.reading.then(() => this.read(tenantId));
    this.reading = read.catch(() => undefined);
    await read;
  }

  /**
   * Takes note that the catalogue version has moved (to at least `version`). With `stock`, stock moved that
   * no version tells of yet: one follows within seconds, for all that is gathered until then.
   */
  async moved(tenantId: number, version: number, stock: boolean): Promise<void> {
    this.note(version);
    if (!stock) return;
    this.ctx.storage.kv.put('tenantId', tenantId);
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(now() + STOCK_DEBOUNCE_MS);
  }

  /** Moves the catalogue version for the stock that has moved. */
  override async alarm(): Promise<void> {
    const tenantId = this.ctx.storage.kv.get<number>('tenantId');
    if (tenantId === undefined) return;
    await this.moved(tenantId, await publishStockChanges(database(this.env), tenantId), false);
  }

  /** Those who ask while a read is under way share it. */
  private refresh(tenantId: number): Promise<void> {
    this.refreshing ??= this.reload(tenantId).finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private note(version: number): void {
    if (version <= this.version) return;
    this.version = version;
    this.ctx.storage.kv.put('version', version);
  }

  private async read(tenantId: number): Promise<void> {
    const started = now();
    const known = this.version;
    const state = await readState(database(this.env), tenantId);
    if (state && state.catalogVersion < known) await this.goOnAfterRestore(tenantId, known);
    this.state = state;
    this.readAt = started;
    this.note(state?.catalogVersion ?? 0);
  }

  /**
   * The database has gone back behind a version that was given out: somebody restored it. What is cached under
   * versions since then is not what the database holds, nor is the search index.
   */
  private async goOnAfterRestore(tenantId: number, known: number): Promise<void> {
    console.error(JSON.stringify({ event: 'catalog_version_went_back', tenant: tenantId }));
    await this.env.SEARCH_QUEUE.send({ tenantId, rebuild: 'start' });
    this.note(await movePast(database(this.env), tenantId, known));
  }
}
