import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { type BatchEvent, relayNow } from './outbox.ts';

/** How long (ms) events gather after others have been relayed. */
const GATHER_MS = 100;
/** The most events that wait; `relayLostEvents` relays further ones. */
const MAX_WAITING = 5_000;

/**
 * Relays the events of an object that commits many small batches of one tenant: at once when it is quiet, otherwise
 * those of the last {@link GATHER_MS} together, so that they cost the database one statement and not one for each
 * batch. What is lost with the object, `relayLostEvents` relays.
 */
export class GatheredRelay {
  private waiting: BatchEvent[] = [];
  private relaying = false;

  /** Relays events in the background. Never fails. */
  add(ctx: TenantContext, events: readonly BatchEvent[]): void {
    if (events.length === 0) return;
    this.waiting.push(...events.slice(0, MAX_WAITING - this.waiting.length));
    if (!this.relaying) ctx.ctx.waitUntil(this.relayAll(ctx));
  }

  private async relayAll(ctx: TenantContext): Promise<void> {
    this.relaying = true;
    while (this.waiting.length > 0) {
      const events = this.waiting;
      this.waiting = [];
      await relayNow(ctx, events);
      await scheduler.wait(GATHER_MS);
    }
    this.relaying = false;
  }
}
