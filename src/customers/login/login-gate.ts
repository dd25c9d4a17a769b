import { DurableObject } from 'cloudflare:workers';
import {
  afterCharge,
  afterRefund,
  delayBefore,
  type RateLimit,
  storedState,
} from '../../kernel/async/rate-limit.ts';
import { MINUTE, now } from '../../kernel/core/clock.ts';
import { randomBase62 } from '../../kernel/crypto/crypto.ts';
import {
  FAILED_ATTEMPT_LIMIT,
  REGISTRATION_LIMIT,
  RETRY_DELAY_MS,
  tenantRegistrationLimit,
} from './backoff.ts';

/**
 * Passwords of one tenant hashed at once. A hash blocks its isolate for 0.13 to 0.2 s, about 7 logins a second.
 * Each account has its own object, so hashes can run in as many isolates as there are slots. More slots would
 * delay other objects in the same isolates, such as the rate limiter.
 */
const MAX_CONCURRENT_HASHES = 4;
/** Lease of a slot (ms), after which it is freed if its holder has not returned it. */
const SLOT_LEASE_MS = 10_000;
/** The most logins that can wait for a slot, and how long each waits before it is rejected (ms). */
const MAX_QUEUED_LOGINS = 200;
const MAX_WAIT_MS = 2_000;
/** Delay of the alarm that deletes expired charges (ms). */
const CLEAN_UP_DELAY_MS = 10 * MINUTE;

/** A request to hash a password. */
export interface HashRequest {
  /** A keyed digest of the shopper's network. */
  readonly network: string;
  /** Whether the device logged in to this account before. Its network's failed attempts then don't count. */
  readonly known: boolean;
  /** For a registration: the plan's registrations per minute; else null. */
  readonly registrations: number | null;
}

/** A slot, to be returned with {@link LoginGate.leave}; or the delay (ms) before a retry. */
export type Entry = { readonly ok: true; readonly ticket: string } | { readonly ok: false; retryIn: number };

/** A charge of an attempt, and the outcome that refunds it. */
interface Charge {
  readonly source: string;
  readonly limit: RateLimit;
  readonly refundedOn: 'success' | 'failure' | 'never';
}

/** A waiting attempt; resolved with a ticket, or with null on timeout. */
interface Waiter {
  readonly resolve: (ticket: string | null) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Returns the charges of an attempt: on its network's attempts and registrations, and the tenant's registrations. */
const chargesOf = ({ network, known, registrations }: HashRequest): Charge[] => [
  ...(known
    ? []
    : [{ source: `guess:${network}`, limit: FAILED_ATTEMPT_LIMIT, refundedOn: 'success' as const }]),
  ...(registrations === null
    ? []
    : [
        { source: `register:${network}`, limit: REGISTRATION_LIMIT, refundedOn: 'never' as const },
        { source: 'register', limit: tenantRegistrationLimit(registrations), refundedOn: 'failure' as const },
      ]),
];

/**
 * Admission control for password hashing of one tenant. Bounds concurrent hashes, queues further ones for up to
 * 2 s, and limits failed attempts and registrations by network. Named by the tenant's id.
 */
export class LoginGate extends DurableObject<Env> {
  /**
   * In memory only: a restart frees all slots, and keeps the charges of those who held one. Tickets are random, so that
   * none of them is somebody else's after it.
   */
  private readonly held = new Map<string, { since: number; charges: readonly Charge[] }>();
  private readonly queue = new Set<Waiter>();
  private alarmSet = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec('DROP TABLE IF EXISTS addresses');
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS charges (source TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID',
    );
    ctx.storage.sql.exec('CREATE INDEX IF NOT EXISTS charges_until ON charges (until)');
  }

  /**
   * Waits for a slot, at most 2 s. An attempt counts as failed until {@link leave} reports success. Rejects at
   * once when a limit is exceeded or the queue is full.
   */
  async enter(request: HashRequest): Promise<Entry> {
    const at = now();
    const charges = chargesOf(request);
    const waits = charges.map(({ source, limit }) => delayBefore(limit, this.until(source, limit), at));
    const retryIn = Math.max(0, ...waits);
    if (retryIn > 0) return { ok: false, retryIn };
    // Charged before the wait, so that a network can't queue more attempts than its limit.
    for (const { source, limit } of charges)
      this.store(source, afterCharge(limit, this.until(source, limit), at));
    const ticket = await this.waitForSlot();
    if (ticket === null) {
      this.refund(charges);
      return { ok: false, retryIn: RETRY_DELAY_MS };
    }
    this.held.set(ticket, { since: now(), charges });
    return { ok: true, ticket };
  }

  /** Returns a slot, which goes to the longest-waiting attempt, and refunds the charges that the outcome allows. */
  leave(ticket: string, succeeded: boolean): void {
    const slot = this.held.get(ticket);
    if (!slot) return;
    this.held.delete(ticket);
    this.refund(slot.charges.filter(({ refundedOn }) => refundedOn === (succeeded ? 'success' : 'failure')));
    this.admit();
  }

  /** Deletes expired charges. */
  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM charges WHERE until <= ?', now());
    this.alarmSet = sql.exec('SELECT 1 FROM charges LIMIT 1').toArray().length > 0;
    if (this.alarmSet) await this.ctx.storage.setAlarm(Date.now() + CLEAN_UP_DELAY_MS);
  }

  /** Resolves to a ticket, or to null on timeout or when the queue is full. */
  private waitForSlot(): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const waiter = { resolve, timer: setTimeout(() => this.giveUp(waiter), MAX_WAIT_MS) };
    this.queue.add(waiter);
    this.admit();
    if (this.queue.size > MAX_QUEUED_LOGINS) this.giveUp(waiter);
    return promise;
  }

  private giveUp(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    if (this.queue.delete(waiter)) waiter.resolve(null);
  }

  /** Gives free slots to the longest-waiting attempts. */
  private admit(): void {
    const at = now();
    for (const [ticket, { since }] of this.held) if (at - since >= SLOT_LEASE_MS) this.held.delete(ticket);
    for (const waiter of this.queue) {
      if (this.held.size >= MAX_CONCURRENT_HASHES) return;
      this.queue.delete(waiter);
      clearTimeout(waiter.timer);
      const ticket = randomBase62(16);
      // Held from now on; enter() adds the charges.
      this.held.set(ticket, { since: at, charges: [] });
      waiter.resolve(ticket);
    }
  }

  private refund(charges: readonly Charge[]): void {
    for (const { source, limit } of charges)
      this.store(source, afterRefund(limit, this.until(source, limit)));
  }

  private until(source: string, limit: RateLimit): number {
    const { sql } = this.ctx.storage;
    const [row] = sql.exec<{ until: number }>('SELECT until FROM charges WHERE source = ?', source);
    return row ? storedState(limit, row.until, now()) : 0;
  }

  private store(source: string, until: number): void {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM charges WHERE until <= ? OR source = ?', now(), source);
    if (until <= now()) return;
    sql.exec('INSERT INTO charges VALUES (?, ?)', source, Math.ceil(until));
    if (this.alarmSet) return;
    this.alarmSet = true;
    void this.ctx.storage.setAlarm(Date.now() + CLEAN_UP_DELAY_MS);
  }
}
