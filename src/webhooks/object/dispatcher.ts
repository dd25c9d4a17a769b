import { MINUTE, now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import type { Attempt } from '../delivery/delivery.ts';
import type { Registration } from '../registrations/endpoint-store.ts';
import { RecentLookup } from '../sending/dns.ts';
import { type AgentRequest, type Outcome, send, type Unsent } from '../sending/send.ts';
import { guardUrl } from '../sending/url-guard.ts';
import type { WebhookName } from '../tables.ts';
import { type CachedRegistration, logFields } from './cached-registration.ts';
import type { Deliveries } from './deliveries.ts';
import type { Health } from './health.ts';
import { retryAt } from './schedule.ts';

/** Upper bound of concurrent POSTs for one webhook. */
const MAX_CONCURRENT_ATTEMPTS = 4;
/**
 * Upper bound of attempts in one run. An invocation has 1,000 subrequests (10,000 on larger plans); an
 * attempt takes one, and the DNS lookup two in a minute.
 */
const MAX_ATTEMPTS_PER_RUN = 300;
/** A run starts no attempt after this long. */
const RUN_DURATION_MS = 5 * MINUTE;

/** The dispatcher's dependencies: the parts of its WebhookEndpoint object. */
interface Parts {
  readonly env: () => Env;
  readonly ctx: DurableObjectState;
  readonly cached: CachedRegistration;
  readonly health: Health;
  /** The object's deliveries; a new instance after the webhook is deleted. */
  readonly deliveries: () => Deliveries;
  readonly name: () => WebhookName | undefined;
  /** Makes the requests to agents' platforms. */
  readonly agentRequest: AgentRequest;
  /** Called after each attempt. */
  readonly ended: () => Promise<void>;
}

/** Makes the due attempts of one webhook, a bounded number in each run. */
export class Dispatcher {
  private readonly running = new Set<Promise<void>>();
  private readonly lookup = new RecentLookup();
  private endWait: () => void = () => undefined;

  constructor(private readonly parts: Parts) {}

  /** Wakes a waiting run, because a delivery may be due. */
  wake(): void {
    this.endWait();
  }

  /** Waits for the attempts in flight. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.running);
  }

  /**
   * Sends until nothing is due or the run reaches its bounds; the rest stays due for the next run. Throws
   * when the registration can't be read.
   */
  async send(): Promise<void> {
    const end = now() + RUN_DURATION_MS;
    let left = MAX_ATTEMPTS_PER_RUN;
    for (;;) {
      const registration = await this.parts.cached.current();
      while (registration && left > 0 && this.running.size < MAX_CONCURRENT_ATTEMPTS && now() < end) {
        const attempt = this.sendable(registration) ? this.parts.deliveries().begin(now()) : null;
        if (!attempt) break;
        left -= 1;
        const running = this.attempt(registration, attempt).finally(() => this.running.delete(running));
        this.running.add(running);
      }
      if (this.running.size === 0) return;
      await this.nextChange();
    }
  }

  private sendable({ status }: Registration): boolean {
    const { health } = this.parts;
    return status === 'active' && health.pausing === null && health.waitsUntil <= now();
  }

  /** Waits until an attempt ends, {@link wake} is called, or the next retry is due. */
  private async nextChange(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.endWait = resolve;
    const due = this.parts.cached.isDeleted ? null : this.parts.deliveries().nextDue();
    const timer = due !== null && due > now() ? setTimeout(resolve, due - now()) : undefined;
    await Promise.race([...this.running, promise]);
    clearTimeout(timer);
  }

  private async attempt(registration: Registration, attempt: Attempt): Promise<void> {
    const { env, ctx, cached, health, ended } = this.parts;
    const { resets } = health;
    // The begun attempt is durable before its request leaves.
    await ctx.storage.sync();
    const outcome = await send(registration, attempt, {
      guard: (url) => guardUrl(env(), url, { look: this.lookup.lookUp }),
      isCurrent: () => cached.isCurrent(registration),
      agentRequest: this.parts.agentRequest,
    });
    if (cached.isDeleted) return;
    if ('unsent' in outcome) this.undo(attempt, outcome.unsent);
    else this.record(attempt, outcome);
    if (health.resets === resets) this.noteHealth(outcome);
    await ended().catch(() => undefined);
  }

  /**
   * Records what an attempt says about the receiver. Not called after a reset, because the attempt went to the
   * earlier URL.
   */
  private noteHealth(outcome: Outcome | Unsent): void {
    if ('unsent' in outcome) {
      // The next attempt is made under the changed registration, at once.
      if (outcome.unsent !== 'webhook_changed') this.parts.health.noteUnsent(now());
    } else this.parts.health.note(outcome, now());
  }

  /** Undoes an attempt that was never sent: the delivery stays due. */
  private undo(attempt: Attempt, reason: string): void {
    this.parts.deliveries().undoBegin(attempt);
    const { deliveryId: delivery } = attempt;
    log('webhook_attempt_unsent', { ...logFields(this.parts.name()), reason, delivery });
  }

  /** Records an attempt's outcome and schedules the retry, synchronously and therefore atomically. */
  // Not a private name: a test lets the object die here.
  private record(attempt: Attempt, outcome: Outcome): void {
    const { status, error, responseBody, retryAfter } = outcome;
    const at = now();
    const nextAttempt =
      error === null ? null : retryAt({ tries: attempt.tries + 1, at, retryAfter }, Math.random());
    const ending = { at, responseStatus: status, error, responseBody, retryAt: nextAttempt };
    this.parts.deliveries().end(attempt, ending);
    this.report(attempt, outcome, at);
  }

  /** Logs the metrics of an attempt; `lag_ms` is the time from the event to this attempt. */
  private report(attempt: Attempt, { status, error }: Outcome, at: number): void {
    const { deliveryId: delivery, type, number, startedAt, occurredAt } = attempt;
    const what = { ...logFields(this.parts.name()), delivery, type, attempt: number };
    const times = { duration_ms: at - startedAt, lag_ms: startedAt - occurredAt };
    log('webhook_attempt', { ...what, status, error, ...times });
  }
}
