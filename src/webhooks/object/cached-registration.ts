import { isRecent, MINUTE, now } from '../../kernel/core/clock.ts';
import { newestDatabase } from '../../kernel/data/tenant-context.ts';
import { type Registration, readRegistration } from '../registrations/endpoint-store.ts';
import type { WebhookName } from '../tables.ts';

/** A cached registration is re-read after this long. */
const MAX_AGE_MS = MINUTE;
/** While the plan has no webhooks and something is due, the registration is re-read in this interval. */
const PLAN_CHECK_INTERVAL_MS = 10 * MINUTE;

/** Returns the log fields that identify a webhook. */
export const logFields = (name: WebhookName | undefined) => ({
  tenant: name?.tenantId,
  webhook: name?.webhookId,
});

/** An object's cached copy of its registration in D1, which is authoritative and notifies of changes. */
export class CachedRegistration {
  private cached: { registration: Registration | null; readAt: number } | null = null;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly env: Env,
    private readonly name: () => WebhookName | undefined,
  ) {}

  /** Whether the webhook is known to be deleted. */
  get isDeleted(): boolean {
    return this.cached?.registration === null;
  }

  /** Whether the webhook is known to be paused; false before the first read. */
  get isPaused(): boolean {
    return this.cached?.registration?.status === 'paused';
  }

  /** Returns when to attempt what is due at `due` (ms), or null during a pause whose end notifies the object. */
  attemptAt(due: number): number | null {
    if (this.cached?.registration?.excluded) return now() + PLAN_CHECK_INTERVAL_MS;
    // Before the first read, `isPaused` is false; the alarm reads the registration.
    return this.isPaused ? null : due;
  }

  /** Returns whether a registration is still the webhook's, as far as the object was notified. */
  isCurrent({ updatedAt }: Registration): boolean {
    return this.cached?.registration?.updatedAt === updatedAt;
  }

  /** Returns the registration, or `null` if deleted; throws if a due re-read from D1 fails. */
  async current(): Promise<Registration | null> {
    if (!this.cached || !isRecent(this.cached.readAt, MAX_AGE_MS)) await this.reload();
    return this.cached?.registration ?? null;
  }

  /** Re-reads the registration. Reads are serialized, so a slow older read can't overwrite a newer one. */
  async reload(): Promise<void> {
    const read = this.reading.then(async () => {
      const [name, readAt] = [this.name(), now()];
      if (!name) return;
      const { tenantId, webhookId } = name;
      // The change may have been made at a shard that the tenant has just moved to.
      const placed = await newestDatabase(this.env, tenantId);
      const registration = await readRegistration({ env: this.env, ...placed }, webhookId);
      // The read may have begun before the deletion.
      if (this.cached?.readAt !== Number.POSITIVE_INFINITY) this.cached = { registration, readAt };
    });
    this.reading = read.catch(() => undefined);
    await read;
  }

  /** Marks the webhook as deleted, permanently. */
  markDeleted(): void {
    this.cached = { registration: null, readAt: Number.POSITIVE_INFINITY };
  }
}
