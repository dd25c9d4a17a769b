import { DurableObject } from 'cloudflare:workers';
import { now } from '../kernel/clock.ts';
import { addressWait, afterGuess, afterRight } from './pace.ts';

/** So many passwords are hashed at once for one tenant: each blocks its isolate and takes 16 MiB. */
const PLACES = 2;
/** A place whose holder doesn't come back is free again after this long (ms). */
const HELD = 10_000;
/** When all places are taken, one should be free after this long (ms). */
const SOON = 1_000;

/** A place, to be given back with {@link LoginGate.leave}; or when (ms from now) to come again. */
export type Entry = { ok: true; ticket: number } | { ok: false; retryIn: number };

/**
 * What every password of one tenant passes on its way to being hashed: at most two are at a time, and wrong
 * guesses from one address are limited over all accounts. Named by the tenant's id.
 */
export class LoginGate extends DurableObject<Env> {
  /** In memory alone: an object is not evicted within the seconds that a place is held. */
  private readonly held = new Map<number, { since: number; address: string }>();
  private last = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS addresses (address TEXT PRIMARY KEY, until INTEGER NOT NULL)',
    );
    ctx.storage.sql.exec('CREATE INDEX IF NOT EXISTS addresses_until ON addresses (until)');
  }

  /** Takes a place for a guess from this address, which counts as wrong until it is said to be right. */
  enter(address: string): Entry {
    const at = now();
    for (const [ticket, { since }] of this.held) if (at - since >= HELD) this.held.delete(ticket);
    const until = this.until(address);
    const retryIn = addressWait(until, at) || (this.held.size >= PLACES ? SOON : 0);
    if (retryIn > 0) return { ok: false, retryIn };
    this.note(address, afterGuess(until, at));
    this.last += 1;
    this.held.set(this.last, { since: at, address });
    return { ok: true, ticket: this.last };
  }

  /** Gives the place back. `right`: the address is not to be charged. */
  leave(ticket: number, right: boolean): void {
    const place = this.held.get(ticket);
    if (!place) return;
    this.held.delete(ticket);
    if (right) this.note(place.address, afterRight(this.until(place.address)));
  }

  private until(address: string): number {
    const { sql } = this.ctx.storage;
    const [row] = sql.exec<{ until: number }>('SELECT until FROM addresses WHERE address = ?', address);
    return row?.until ?? 0;
  }

  private note(address: string, until: number): void {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM addresses WHERE until <= ?', now());
    sql.exec(
      'INSERT INTO addresses VALUES (?, ?) ON CONFLICT (address) DO UPDATE SET until = excluded.until',
      address,
      until,
    );
  }
}
