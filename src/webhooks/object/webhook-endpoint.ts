import { DurableObject } from 'cloudflare:workers';
import type { EventType } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import { database } from '../../kernel/data/database.ts';
import { errorFields } from '../../kernel/observe/error-fields.ts';
import type {
  DeliveryFilter,
  DeliveryView,
  NewDelivery,
  SentDelivery,
  TimeRange,
} from '../delivery/delivery.ts';
import { type RedactedDelivery, writeBodies } from '../delivery/erase.ts';
import { matchesFilter } from '../filter.ts';
import { noteFailing, pauseWebhook, type Registration } from '../registrations/endpoint-store.ts';
import { DELIVERY_RETENTION_MS } from '../registrations/store.ts';
import type { AgentProtocol, EndpointContext } from '../sending/send.ts';
import type { WebhookName } from '../tables.ts';
import { CachedRegistration, logFields } from './cached-registration.ts';
import { Deliveries } from './deliveries.ts';
import { findDelivery, listDeliveries, putOff, readDelivery } from './delivery-views.ts';
import { Dispatcher } from './dispatcher.ts';
import { Health } from './health.ts';
import { missingDeliveries } from './missing-events.ts';
import { type Forbidden, type Found, forbidden, found, type Gone } from './refusals.ts';

/** The next alarm after a crashed run or a D1 failure. */
const ALARM_RETRY_DELAY_MS = 20_000;

/**
 * Delivers the events of one webhook from its alarm: holds the deliveries, their schedule, pause and log. The
 * registration is in D1; the object caches it and is notified of changes. An attempt is recorded before and
 * after its request, so a crash in between sends it again: delivery is at least once.
 */
export abstract class WebhookEndpoint extends DurableObject<Env> {
  private deliveries: Deliveries;
  private readonly health: Health;
  private readonly cached: CachedRegistration;
  private readonly dispatcher: Dispatcher;
  private running: Promise<void> | null = null;
  /** Implemented by the entry of the Worker, because the module of the agents' protocol is a client of this one. */
  protected abstract readonly agentRequest: AgentProtocol;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.cached = new CachedRegistration(env, this.name);
    this.health = new Health(ctx.storage.kv);
    this.deliveries = new Deliveries(ctx.storage);
    this.deliveries.recover(now());
    this.dispatcher = new Dispatcher({
      env: () => this.env,
      ctx,
      cached: this.cached,
      health: this.health,
      deliveries: () => this.deliveries,
      name: this.name,
      agentRequest: (...of) => this.agentRequest(this.context(), ...of),
      ended: () => this.finishPause(),
    });
  }

  /**
   * Accepts events, deduplicated by id: due at once, or held while the webhook is paused. Returns the number
   * added. Throws, without storing anything, when the registration can't be read from D1.
   */
  async accept(name: WebhookName, events: NewDelivery[]): Promise<{ ok: true; added: number } | Gone> {
    this.rememberName(name);
    const registration = await this.applied();
    if (!registration) {
      await this.purge();
      return { ok: false, reason: 'gone' };
    }
    const subscription = { ...registration, since: this.deliveries.ordering.subscribedSince };
    const gaps = registration.ordered ? this.deliveries.ordering.gapsBefore(events) : [];
    let added = 0;
    for await (const missing of missingDeliveries(this.context(name), subscription, gaps)) {
      if (this.cached.isDeleted) break;
      added += await this.store(missing);
    }
    if (this.cached.isDeleted) return { ok: false, reason: 'gone' };
    return { ok: true, added: added + (await this.store(events)) };
  }

  /** Adds events that are due at once, or held while the webhook is paused. Returns the number added. */
  private async store(events: NewDelivery[]): Promise<number> {
    const hold = this.cached.isPaused || this.health.pausing !== null;
    const added = this.deliveries.add(events, hold, now());
    await this.schedule();
    return added;
  }

  /**
   * Re-reads the registration from D1: once this returns, nothing is sent under an older one. `fresh` (the
   * webhook was activated or has a new URL) resets failures and waits.
   */
  async changed(name: WebhookName, fresh: boolean): Promise<void> {
    this.rememberName(name);
    // Afterwards, because attempts that begin during the read are sent under the older registration.
    await this.cached.reload().finally(() => fresh && this.health.reset());
    await this.applied();
    await this.schedule();
  }

  /** Returns the registration, applied to deliveries and health; null once it is deleted. Throws if it can't be read. */
  private async applied(): Promise<Registration | null> {
    const registration = await this.cached.current();
    if (!registration) return null;
    this.deliveries.ordering.apply(registration, now());
    this.health.followPlan(registration.excluded);
    return registration;
  }

  /** Deletes all storage after the webhook is deleted. */
  async purge(): Promise<void> {
    this.cached.markDeleted();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    // deleteAll() drops the tables; recreates them for calls that began before the deletion.
    this.deliveries = new Deliveries(this.ctx.storage);
  }

  /** Replaces the bodies of deliveries when a customer's data is erased, also of those that are yet to arrive. */
  async redact(deliveries: readonly RedactedDelivery[]): Promise<void> {
    if (!this.cached.isDeleted) writeBodies(this.ctx.storage.sql, deliveries, now());
    await this.schedule();
  }

  /** Returns a page of deliveries with their attempts, newest first, and the total. */
  list(filter: DeliveryFilter): { rows: DeliveryView[]; total: number } {
    const { rows, total } = listDeliveries(this.ctx.storage.sql, filter);
    return { rows: rows.map(this.shown), total };
  }

  /** Returns a delivery with the time of its next attempt, which the receiver's `Retry-After` may put off. */
  private shown = <View extends DeliveryView>(view: View): View => putOff(view, this.health.waitsUntil);

  /** Returns the delivery of an event. */
  find(eventId: string): Found<DeliveryView> {
    const delivery = findDelivery(this.ctx.storage.sql, eventId);
    return found(delivery && this.shown(delivery));
  }

  /** Returns a delivery with its body. Refused when its event isn't `readable`. */
  read(id: number, readable: readonly EventType[]): Found<SentDelivery> | Forbidden {
    const delivery = readDelivery(this.ctx.storage.sql, id);
    const read = found(delivery && this.shown(delivery));
    return (read.ok && forbidden([read.delivery.type], readable)) || read;
  }

  /**
   * Replays a delivery under the same `webhook-id`, regardless of its status; a paused webhook sends it once
   * active. Refused when its event isn't `readable`.
   */
  async replay(
    name: WebhookName,
    id: number,
    readable: readonly EventType[],
  ): Promise<Found<SentDelivery> | Forbidden> {
    this.rememberName(name);
    const read = this.read(id, readable);
    if (!read.ok) return read;
    this.health.clearRetryAfter();
    this.deliveries.replay(id, now());
    const replayed = this.read(id, readable);
    await this.schedule();
    return replayed;
  }

  /**
   * Replays all events from `from` to `to` (ms, both included), held ones too; returns their number. Refused
   * as a whole when the range has an event that isn't `readable`.
   */
  async replayRange(
    name: WebhookName,
    { from, to }: TimeRange,
    readable: readonly EventType[],
  ): Promise<{ ok: true; replayed: number } | Forbidden> {
    this.rememberName(name);
    const filter = (await this.cached.current())?.filter ?? null;
    // In one go with the replay, because events may arrive during a read.
    const refused = forbidden(this.deliveries.typesOf({ from, to }), readable);
    if (refused) return refused;
    this.health.clearRetryAfter();
    // Each body is that of an event, as the fan-out wrote it.
    const isWanted = filter ? (body: string) => matchesFilter(filter, JSON.parse(body)) : undefined;
    const replayed = this.deliveries.replayRange({ from, to }, now(), isWanted);
    await this.schedule();
    return { ok: true, replayed };
  }

  /** Sends due deliveries and sets the next alarm. Never rejects: the runtime gives up after six retries. */
  override alarm(): Promise<void> {
    this.running ??= this.run();
    return this.running;
  }

  private async run(): Promise<void> {
    try {
      // Guarantees a next alarm if this run crashes.
      await this.setAlarm(now() + ALARM_RETRY_DELAY_MS);
      this.deliveries.deleteOlderThan(now() - DELIVERY_RETENTION_MS, now());
      await this.finishPause();
      await this.applied();
      await this.dispatcher.send();
      await this.storeHealth();
      this.running = null;
      await (this.cached.isDeleted ? this.purge() : this.schedule());
    } catch (error) {
      log('endpoint_stopped', { ...logFields(this.name()), ...errorFields(error) });
      await this.dispatcher.settled();
      // The alarm set above may have fired during this run, without effect.
      await this.setAlarm(now() + ALARM_RETRY_DELAY_MS);
    } finally {
      this.running = null;
    }
  }

  /** Writes a pending automatic pause to D1, unless the webhook was changed meanwhile; then reloads the registration. */
  private async finishPause(): Promise<void> {
    const [reason, name] = [this.health.pausing, this.name()];
    const registration = reason && (await this.cached.current());
    if (!name || !registration) return;
    await pauseWebhook(this.context(name), { ...registration, id: name.webhookId, reason });
    await this.cached.reload();
    if (this.cached.isPaused) this.health.markPaused();
  }

  /** Writes the receiver's failures to D1 once for each run, for the platform's overview. */
  private async storeHealth(): Promise<void> {
    const [failing, name] = [this.health.failing, this.name()];
    if (!name || this.cached.isDeleted || this.health.isReported) return;
    await noteFailing(this.context(name), name.webhookId, failing);
    this.health.markReported(failing);
  }

  /** Stores the webhook's name, because an alarm has no arguments. */
  private rememberName(name: WebhookName): void {
    if (!this.name()) this.ctx.storage.kv.put('name', name);
  }

  /** Returns what the object reads and writes with outside itself. */
  private context(name = this.name()): EndpointContext {
    if (!name) throw new Error('A webhook has accepted nothing yet');
    return { env: this.env, db: database(this.env, name.tenantId), ...name };
  }

  private name = () => this.ctx.storage.kv.get<WebhookName>('name');

  /** Wakes a running alarm, or sets the next one, at the latest when to look whether the webhook still exists. */
  private async schedule(): Promise<void> {
    this.dispatcher.wake();
    if (this.running || this.cached.isDeleted) return;
    const due = this.deliveries.nextDue();
    const oldest = this.deliveries.oldest() ?? (this.name() ? now() : null);
    const times = [
      this.health.pausing || !this.health.isReported ? now() + ALARM_RETRY_DELAY_MS : null,
      due === null ? null : this.cached.attemptAt(Math.max(due, this.health.waitsUntil)),
      oldest === null ? null : oldest + DELIVERY_RETENTION_MS + 1,
    ].filter((time) => time !== null);
    await (times.length > 0 ? this.setAlarm(Math.min(...times)) : this.ctx.storage.deleteAlarm());
  }

  /** Converts to the runtime's clock, which tests can't move. */
  private setAlarm = (at: number) => this.ctx.storage.setAlarm(Date.now() + Math.max(0, at - now()));
}
