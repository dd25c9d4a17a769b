import { DurableObject } from 'cloudflare:workers';
import { DAY, now } from '../kernel/clock.ts';
import { database } from '../kernel/database.ts';
import {
  type Attempt,
  Deliveries,
  type DeliveryFilter,
  type DeliveryView,
  type NewDelivery,
} from './deliveries.ts';
import { Health } from './health.ts';
import { type Outcome, post } from './post.ts';
import { KnownRegistration, logged, type WebhookName } from './registration.ts';
import { retryAt } from './schedule.ts';
import { noteFailing, pauseWebhook, type Registration } from './store.ts';

/** This many POSTs run at once for one webhook. */
const LANES = 4;
/** One alarm sends for at most this long (ms) before it begins anew. */
const SHIFT = 5 * 60_000;
/** When an alarm died half-way, or D1 could not be asked, it goes on after this long (ms). */
const RESCUE = 20_000;
/** Deliveries are kept for this long (ms). */
const RETENTION = 30 * DAY;
/** The webhook was deleted. */
type Gone = { readonly ok: false; readonly reason: 'gone' };
type NotFound = { readonly ok: false; readonly reason: 'not_found' };

/**
 * One webhook: its deliveries, their schedule, pause and log. The registration is in D1; this object reads
 * it, is told of changes, and posts from its alarm. What has begun is noted before it is sent and how it
 * ended afterwards, so an object that dies in between sends again: at least once, never not at all.
 */
export class Endpoint extends DurableObject<Env> {
  private deliveries: Deliveries;
  private readonly health: Health;
  private readonly lanes = new Set<Promise<void>>();
  private readonly known: KnownRegistration;
  private running: Promise<void> | null = null;
  private wake: () => void = () => undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.known = new KnownRegistration(env, this.name);
    this.health = new Health(ctx.storage.kv);
    this.deliveries = new Deliveries(ctx.storage.sql);
    this.deliveries.recover(now());
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

  /** A page of deliveries with their attempts, newest first, and how many there are. */
  list(filter: DeliveryFilter): { rows: DeliveryView[]; total: number } {
    return this.deliveries.list(filter);
  }

  /** The delivery of an event. */
  find(eventId: string): { ok: true; delivery: DeliveryView } | NotFound {
    const delivery = this.deliveries.find('eventId', eventId);
    return delivery ? { ok: true, delivery } : { ok: false, reason: 'not_found' };
  }

  /** Sends a delivery again, whatever became of it, under the same `webhook-id`; once active, if paused. */
  async replay(name: WebhookName, id: number): Promise<{ ok: true; delivery: DeliveryView } | NotFound> {
    this.call(name);
    this.health.endQuiet();
    this.deliveries.replay(id, now());
    const delivery = this.deliveries.find('id', id);
    await this.schedule();
    return delivery ? { ok: true, delivery } : { ok: false, reason: 'not_found' };
  }

  /** Sends all again that happened from `from` to `to` (ms, both included), held or not; answers how many. */
  async replayRange(name: WebhookName, from: number, to: number): Promise<{ replayed: number }> {
    this.call(name);
    this.health.endQuiet();
    const replayed = this.deliveries.replayRange(from, to, now());
    await this.schedule();
    return { replayed };
  }

  /** Sends what is due, and sets the next alarm. Never fails: the runtime gives up after six retries. */
  override alarm(): Promise<void> {
    this.running ??= this.run();
    return this.running;
  }

  private async run(): Promise<void> {
    try {
      // Whatever happens from here on, an alarm comes.
      await this.setAlarm(now() + RESCUE);
      this.deliveries.forget(now() - RETENTION);
      await this.finishPause();
      await this.send();
      await this.tellHealth();
      this.running = null;
      await (this.known.gone ? this.purge() : this.schedule());
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown';
      console.error(JSON.stringify({ event: 'endpoint_stopped', ...logged(this.name()), name: kind }));
      await Promise.allSettled(this.lanes);
      // The alarm from above may have come meanwhile, and changed nothing.
      await this.setAlarm(now() + RESCUE);
    } finally {
      this.running = null;
    }
  }

  /** Keeps the lanes busy until nothing is due. Throws when the registration can't be read. */
  private async send(): Promise<void> {
    const end = now() + SHIFT;
    for (;;) {
      const registration = await this.known.current();
      while (registration && this.lanes.size < LANES && now() < end) {
        const attempt = this.sendable(registration) ? this.deliveries.begin(now()) : null;
        if (!attempt) break;
        const lane = this.attempt(registration, attempt).finally(() => this.lanes.delete(lane));
        this.lanes.add(lane);
      }
      if (this.lanes.size === 0) return;
      await this.news();
    }
  }

  /** Waits until a lane is free again, something new is there, or the next retry is due. */
  private async news(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    const due = this.known.gone ? null : this.deliveries.nextDue();
    const timer = due !== null && due > now() ? setTimeout(resolve, due - now()) : undefined;
    await Promise.race([...this.lanes, promise]);
    clearTimeout(timer);
  }

  private async attempt(registration: Registration, attempt: Attempt): Promise<void> {
    // What was noted so far is on disk before the world hears of it.
    await this.ctx.storage.sync();
    const outcome = await post(this.env, registration, attempt);
    if (this.known.gone) return;
    this.settle(attempt, outcome);
    await this.finishPause().catch(() => undefined);
  }

  /** Notes how an attempt ended and what follows from it, all in one go. */
  private settle(attempt: Attempt, outcome: Outcome): void {
    const { status, error, answer, retryAfter } = outcome;
    const at = now();
    const again = error === null ? null : retryAt(attempt.tries + 1, at, Math.random(), retryAfter);
    const ending = { at, responseStatus: status, error, responseBody: answer, retryAt: again };
    this.deliveries.end(attempt, ending);
    this.health.note(outcome, at);
    this.report(attempt, outcome, at);
  }

  /** The metric line of an attempt. `lag_ms` is what passed between the event and this attempt. */
  private report(attempt: Attempt, { status, error }: Outcome, at: number): void {
    const { deliveryId: delivery, type, number, startedAt, occurredAt } = attempt;
    const what = { ...logged(this.name()), delivery, type, attempt: number };
    const times = { duration_ms: at - startedAt, lag_ms: startedAt - occurredAt };
    console.log(JSON.stringify({ event: 'webhook_attempt', ...what, status, error, ...times }));
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

  private sendable({ status }: Registration): boolean {
    return status === 'active' && this.health.pausing === null && this.health.quietUntil <= now();
  }

  /** Wakes a running alarm, or sets the next one; none when there is nothing to wait for. */
  private async schedule(): Promise<void> {
    this.wake();
    if (this.running || this.known.gone) return;
    // An instance that doesn't know yet whether it is paused finds out in its alarm.
    const due = this.known.paused ? null : this.deliveries.nextDue();
    const oldest = this.deliveries.oldest();
    const times = [
      this.health.pausing || !this.health.isTold ? now() + RESCUE : null,
      due === null ? null : Math.max(due, this.health.quietUntil),
      oldest === null ? null : oldest + RETENTION + 1,
    ].filter((time) => time !== null);
    if (times.length > 0) await this.setAlarm(Math.min(...times));
    else await this.ctx.storage.deleteAlarm();
  }

  /** The runtime's alarms know nothing of a clock that a test has moved. */
  private setAlarm = (at: number) => this.ctx.storage.setAlarm(Date.now() + Math.max(0, at - now()));
}
