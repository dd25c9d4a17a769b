import { now } from '../../kernel/core/clock.ts';
import { database } from '../../kernel/data/database.ts';
import { type Registration, readRegistration } from '../registrations/store.ts';
import type { WebhookName } from '../tables.ts';

/** Without a word from anybody the registration is read again after this long (ms). */
const MAX_AGE = 60_000;

/** A webhook as a line of the log names it. */
export const logFields = (name: WebhookName | undefined) => ({
  tenant: name?.tenantId,
  webhook: name?.webhookId,
});

/** A webhook's registration as its object knows it: the truth is in D1, and this is told of changes. */
export class CachedRegistration {
  private known: { registration: Registration | null; readAt: number } | null = null;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly env: Env,
    private readonly name: () => WebhookName | undefined,
  ) {}

  /** Known to be deleted. */
  get gone(): boolean {
    return this.known?.registration === null;
  }

  /** Known to be paused; what isn't known yet is not. */
  get paused(): boolean {
    return this.known?.registration?.status === 'paused';
  }

  /** The registration, `null` when it was deleted. D1 is asked when a minute has passed; throws if it can't be. */
  async current(): Promise<Registration | null> {
    if (!this.known || now() - this.known.readAt > MAX_AGE) await this.reload();
    return this.known?.registration ?? null;
  }

  /** Reads it again, one after the other, so that a slow old read can't overwrite a newer one. */
  async reload(): Promise<void> {
    const read = this.reading.then(async () => {
      const [name, readAt] = [this.name(), now()];
      if (!name) return;
      const { tenantId, webhookId } = name;
      const registration = await readRegistration(this.env, database(this.env), tenantId, webhookId);
      this.known = { registration, readAt };
    });
    this.reading = read.catch(() => undefined);
    await read;
  }

  /** It was deleted, for good. */
  forget(): void {
    this.known = { registration: null, readAt: Number.POSITIVE_INFINITY };
  }
}
