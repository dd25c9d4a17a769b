import { DurableObject } from 'cloudflare:workers';
import type { EventType } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { database } from '../../kernel/data/database.ts';
import { noteFailing, pauseWebhook, RETENTION } from '../registrations/store.ts';
import type { DeliveredType, WebhookName } from '../tables.ts';
import { CachedRegistration, logFields } from './cached-registration.ts';
import { Deliveries } from './deliveries.ts';
import type { DeliveryFilter, DeliveryView, NewDelivery } from './delivery.ts';
import { Dispatcher } from './dispatcher.ts';
import { type RedactedDelivery, writeBodies } from './erase.ts';
import { Health } from './health.ts';

/** When an alarm died half-way, or D1 could not be asked, it goes on after this long (ms). */
const ALARM_RESCUE_MS = 20_000;
/** The webhook was deleted. */
type Gone = { readonly ok: false; readonly reason: 'gone' };
type NotFound = { readonly ok: false; readonly reason: 'not_found' };
/** The caller may not read this event, so it may not have it sent. */
type Forbidden = { readonly ok: false; readonly reason: 'forbidden'; readonly type: EventType };

/**
 * One webhook: its deliveries, their schedule, pause and log. The registration is in D1; this object reads
 * it, is told of changes, and posts from its alarm. What has begun is noted before it is sent and how it
 * ended afterwards, so an object that dies in between sends again: at least once, never not at all.
 */
export class WebhookEndpoint extends DurableObject<Env> {
  private deliveries: Deliveries;
  private readonly health: Health;
  private readonly known: CachedRegistration;
  private readonly dispatcher: Dispatcher;
  private running: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.known = new CachedRegistration(env, this.name);
    this.health = new Health(ctx.storage.kv);
    this.deliveries = new Deliveries(ctx.storage.sql);
    this.deliveries.recover(now());
    this.dispatcher = new Dispatcher({
      env: () => this.env,
      ctx,
      known: this.known,
      health: this.health,
      deliveries: () => this.deliveries,
      name: this.name,
      ended: () => this.finishPause(),
    });
  }

  /**
   * Takes in events, each at most once (by its id): due at once, or held while the webhook is paused.
   * Answers how many were new; throws when D1 can't be asked, then nothing was taken in.
   */
  async accept(name: WebhookName, events: NewDelivery[]): Promise<{ ok: true; added: number } | Gone> {
    this.call(name);
    const registration = await this.known.current();
    if (!registration) {
      await this.purge();
      return { ok: false, reason: 'gone' };
    }
    const hold = registration.status === 'paused' || this.health.pausing !== null;
    const added = this.deliveries.add(events, hold, now());
    await this.schedule();
    return { ok: true, added };
  }

  /**
   * Reads the registration from D1 again: once it answers, nothing is sent by an older one. With `fresh`
   * (it was activated, or has a new URL) failures and waits of the past are forgotten.
   */
  async changed(name: WebhookName, fresh: boolean): Promise<void> {
    this.call(name);
    if (fresh) this.health.forgive();
    await this.known.reload();
    await this.schedule();
  }

  /** Forgets everything: the webhook was deleted. */
  async purge(): Promise<void> {
    this.known.forget();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    // Its tables went as well; a call that began before the deletion finds empty ones.
    this.deliveries = new Deliveries(this.ctx.storage.sql);
  }

  /** Gives deliveries other bodies: a person whom they named is erased. */
  redact(deliveries: readonly RedactedDelivery[]): void {
    writeBodies(this.ctx.storage.sql, deliveries);
  }

  /** A page of deliveries with their attempts, newest first, and how many there are. */
  list(filter: DeliveryFilter): { rows: DeliveryView[]; total: number } {
    return this.deliveries.list(filter);
  }

  /** The delivery of an event. */
  find(eventId: string): { ok: true; delivery: DeliveryView } | NotFound {
    const delivery = this.deliveries.find('eventId', eventId);
    return delivery ? { ok: true, delivery } : { ok: false, reason: 'not_found' };
  }

  /**
   * Sends a delivery again, whatever became of it, under the same `webhook-id`; once active, if paused. Refused
   * when its event isn't `readable`.
   */
  async replay(
    name: WebhookName,
    id: number,
    readable: readonly EventType[],
  ): Promise<{ ok: true; delivery: DeliveryView } | NotFound | Forbidden> {
    this.call(name);
    const found = this.deliveries.find('id', id);
    if (!found) return { ok: false, reason: 'not_found' };
    const refused = forbidden([found.type], readable);
    if (refused) return refused;
    this.health.endQuiet();
    this.deliveries.replay(id, now());
    const delivery = this.deliveries.find('id', id);
    await this.schedule();
    return delivery ? { ok: true, delivery } : { ok: false, reason: 'not_found' };
  }

  /**
   * Sends all again that happened from `from` to `to` (ms, both included), held or not; returns how many.
   * Refused as a whole when the range has an event that isn't `readable`.
   */
  async replayRange(
    name: WebhookName,
    from: number,
    to: number,
    readable: readonly EventType[],
  ): Promise<{ ok: true; replayed: number } | Forbidden> {
    this.call(name);
    const refused = forbidden(this.deliveries.typesOf(from, to), readable);
    if (refused) return refused;
    this.health.endQuiet();
    const replayed = this.deliveries.replayRange(from, to, now());
    await this.schedule();
    return { ok: true, replayed };
  }

  /** Sends what is due, and sets the next alarm. Never fails: the runtime gives up after six retries. */
  override alarm(): Promise<void> {
    this.running ??= this.run();
    return this.running;
  }

  private async run(): Promise<void> {
    try {
      // Whatever happens from here on, an alarm comes.
      await this.setAlarm(now() + ALARM_RESCUE_MS);
      this.deliveries.forget(now() - RETENTION);
      await this.finishPause();
      await this.dispatcher.send();
      await this.tellHealth();
      this.running = null;
      await (this.known.gone ? this.purge() : this.schedule());
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown';
      console.error(JSON.stringify({ event: 'endpoint_stopped', ...logFields(this.name()), name: kind }));
      await this.dispatcher.settled();
      // The alarm from above may have come meanwhile, and changed nothing.
      await this.setAlarm(now() + ALARM_RESCUE_MS);
    } finally {
      this.running = null;
    }
  }

  /** Writes a pause that follows from a failure to D1, and then goes by it. */
  private async finishPause(): Promise<void> {
    const [reason, name] = [this.health.pausing, this.name()];
    if (!reason || !name) return;
    await pauseWebhook(database(this.env), name.tenantId, name.webhookId, reason);
    await this.known.reload();
    this.health.paused();
  }

  /** Notes in D1, once for each run, whether the receiver fails: the platform looks after all webhooks there. */
  private async tellHealth(): Promise<void> {
    const [failing, name] = [this.health.failing, this.name()];
    if (!name || this.known.gone || this.health.isTold) return;
    await noteFailing(database(this.env), name.tenantId, name.webhookId, failing);
    this.health.told(failing);
  }

  /** Remembers who this is: an alarm isn't told. */
  private call(name: WebhookName): void {
    if (!this.name()) this.ctx.storage.kv.put('name', name);
  }

  private name = () => this.ctx.storage.kv.get<WebhookName>('name');

  /** Wakes a running alarm, or sets the next one; none when there is nothing to wait for. */
  private async schedule(): Promise<void> {
    this.dispatcher.wake();
    if (this.running || this.known.gone) return;
    // An instance that doesn't know yet whether it is paused finds out in its alarm.
    const due = this.known.paused ? null : this.deliveries.nextDue();
    const oldest = this.deliveries.oldest();
    const times = [
      this.health.pausing || !this.health.isTold ? now() + ALARM_RESCUE_MS : null,
      due === null ? null : Math.max(due, this.health.waitsUntil),
      oldest === null ? null : oldest + RETENTION + 1,
    ].filter((time) => time !== null);
    if (times.length > 0) await this.setAlarm(Math.min(...times));
    else await this.ctx.storage.deleteAlarm();
  }

  /** The runtime's alarms know nothing of a clock that a test has moved. */
  private setAlarm = (at: number) => this.ctx.storage.setAlarm(Date.now() + Math.max(0, at - now()));
}

/** The first of these events that is not readable; everybody may read a ping. */
function forbidden(types: readonly DeliveredType[], readable: readonly EventType[]): Forbidden | null {
  const type = types.find((one): one is EventType => one !== 'ping' && !readable.includes(one));
  return type ? { ok: false, reason: 'forbidden', type } : null;
}
