import { DurableObject } from 'cloudflare:workers';
import { now } from '../../kernel/core/clock.ts';
import {
  afterCharge,
  afterRefund,
  GUESSES,
  type Pace,
  REGISTRATIONS,
  registrationsOf,
  waitFor,
} from './backoff.ts';

/**
 * So many passwords of one tenant are hashed at once. A hash blocks its isolate for 0.13 to 0.2 s, so that one
 * isolate lets in about 7 people a second. Each account has an object of its own: different people's hashes may run
 * in as many isolates as there are places. More would hold up what shares an isolate with them, the limiter for one.
 */
const MAX_CONCURRENT_HASHES = 4;
/** A place whose holder doesn't come back is free again after this long. */
const PLACE_LEASE_MS = 10_000;
/** So many logins wait for a place, each for at most so long; only then are they refused. */
const MAX_QUEUE = 200;
const MAX_WAIT_MS = 2_000;
/** What a refused login is told to wait. */
const RETRY_MS = 1_000;
/** Rows that are worked off are deleted this long after the first of them was written. */
const CLEAN_UP_MS = 10 * 60_000;

/** Who wants a password hashed. */
export interface Entrant {
  /** A keyed digest of the shopper's network. */
  readonly network: string;
  /** Whether the device signed in to this account before: then its network's wrong guesses don't hold it up. */
  readonly known: boolean;
  /** For a new account: how many the tenant's plan allows a minute; else null. */
  readonly registrations: number | null;
}

/** A place, to be given back with {@link LoginGate.leave}; or when (ms from now) to come again. */
export type Entry = { readonly ok: true; readonly ticket: number } | { readonly ok: false; retryIn: number };

/** What an attempt is counted under, and whether it is given back once it was right, or wrong. */
interface Charge {
  readonly source: string;
  readonly pace: Pace;
  readonly refunded: 'right' | 'wrong' | 'never';
}

/** One that waits for a place: it gets a ticket, or null when its time is over. */
interface Waiter {
  readonly resolve: (ticket: number | null) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** What an attempt is charged to: guesses and registrations of its network, registrations of the tenant. */
const chargesOf = ({ network, known, registrations }: Entrant): Charge[] => [
  ...(known ? [] : [{ source: `guess:${network}`, pace: GUESSES, refunded: 'right' as const }]),
  ...(registrations === null
    ? []
    : [
        { source: `register:${network}`, pace: REGISTRATIONS, refunded: 'never' as const },
        { source: 'register', pace: registrationsOf(registrations), refunded: 'wrong' as const },
      ]),
];

/**
 * What every password of one tenant passes on its way to being hashed: a bounded number is at a time, the next
 * ones wait up to 2 s, and wrong guesses and registrations are limited by network. Named by the tenant's id.
 */
export class LoginGate extends DurableObject<Env> {
  /** In memory alone: an object is not evicted within the seconds that a place is held. */
  private readonly held = new Map<number, { since: number; charges: readonly Charge[] }>();
  private readonly queue = new Set<Waiter>();
  private lastTicket = 0;
  private cleansUp = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec('DROP TABLE IF EXISTS addresses');
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS charges (source TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID',
    );
    ctx.storage.sql.exec('CREATE INDEX IF NOT EXISTS charges_until ON charges (until)');
  }

  /**
   * Waits for a place, at most 2 s. A guess counts as wrong until it is said to be right. Refuses at once who
   * comes too fast, and when too many wait already.
   */
  async enter(entrant: Entrant): Promise<Entry> {
    const at = now();
    const charges = chargesOf(entrant);
    const waits = charges.map(({ source, pace }) => waitFor(pace, this.until(source), at));
    const retryIn = Math.max(0, ...waits);
    if (retryIn > 0) return { ok: false, retryIn };
    // Charged before it waits, so that no network has more attempts in the queue than it may make.
    for (const { source, pace } of charges) this.note(source, afterCharge(pace, this.until(source), at));
    const ticket = await this.place();
    if (ticket === null) {
      this.refund(charges);
      return { ok: false, retryIn: RETRY_MS };
    }
    this.held.set(ticket, { since: now(), charges });
    return { ok: true, ticket };
  }

  /** Gives the place back to whoever waits longest, and the charges that the outcome gives back. */
  leave(ticket: number, right: boolean): void {
    const place = this.held.get(ticket);
    if (!place) return;
    this.held.delete(ticket);
    this.refund(place.charges.filter(({ refunded }) => refunded === (right ? 'right' : 'wrong')));
    this.admit();
  }

  /** Deletes what is worked off. */
  override async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM charges WHERE until <= ?', now());
    this.cleansUp = sql.exec('SELECT 1 FROM charges LIMIT 1').toArray().length > 0;
    if (this.cleansUp) await this.ctx.storage.setAlarm(Date.now() + CLEAN_UP_MS);
  }

  /** Resolves to a ticket, or to null when none became free in time. */
  private place(): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>();
    const waiter = { resolve, timer: setTimeout(() => this.giveUp(waiter), MAX_WAIT_MS) };
    this.queue.add(waiter);
    this.admit();
    if (this.queue.size > MAX_QUEUE) this.giveUp(waiter);
    return promise;
  }

  private giveUp(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    if (this.queue.delete(waiter)) waiter.resolve(null);
  }

  /** Gives free places to those who wait longest. */
  private admit(): void {
    const at = now();
    for (const [ticket, { since }] of this.held) if (at - since >= PLACE_LEASE_MS) this.held.delete(ticket);
    for (const waiter of this.queue) {
      if (this.held.size >= MAX_CONCURRENT_HASHES) return;
      this.queue.delete(waiter);
      clearTimeout(waiter.timer);
      this.lastTicket += 1;
      // Held from now on; enter() adds what it was charged.
      this.held.set(this.lastTicket, { since: at, charges: [] });
      waiter.resolve(this.lastTicket);
    }
  }

  private refund(charges: readonly Charge[]): void {
    for (const { source, pace } of charges) this.note(source, afterRefund(pace, this.until(source)));
  }

  private until(source: string): number {
    const { sql } = this.ctx.storage;
    const [row] = sql.exec<{ until: number }>('SELECT until FROM charges WHERE source = ?', source);
    return row?.until ?? 0;
  }

  private note(source: string, until: number): void {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM charges WHERE until <= ? OR source = ?', now(), source);
    if (until <= now()) return;
    sql.exec('INSERT INTO charges VALUES (?, ?)', source, Math.ceil(until));
    if (this.cleansUp) return;
    this.cleansUp = true;
    void this.ctx.storage.setAlarm(Date.now() + CLEAN_UP_MS);
  }
}
