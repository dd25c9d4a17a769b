import { MINUTE } from '../../kernel/core/clock.ts';

/** The limit's window (ms), and the longest wait that a response asks for. */
const WINDOW_MS = MINUTE;

/** A holder of an application's permits in this isolate. */
export interface PermitHolder {
  /** Unused permits that the limiter still counts as used. */
  unspent(): number;
}

/** The limit as a response shows it: requests left, and the seconds until that number may rise. */
interface LimitState {
  readonly remaining: number;
  readonly resetIn: number;
}

/** Rounds a wait up to whole seconds, from 1 to 60. */
export const waitSeconds = (ms: number): number =>
  Math.min(WINDOW_MS / 1000, Math.max(1, Math.ceil(ms / 1000)));

/**
 * Computes the limit that one isolate's responses show for one application, over all its tokens. Until an
 * announced reset, `remaining` falls by at least one with each request, even if other isolates return
 * permits. Without I/O; times are ms of the isolate's clock.
 */
export class LimitView {
  private readonly holders = new Set<PermitHolder>();
  /** Requests that were free beside all leases at the limiter's last response, and when the next one is. */
  private free = 0;
  private freesAt = 0;
  private shown: { limit: number; remaining: number; until: number } | null = null;

  /** Adds a holder. */
  join(holder: PermitHolder): void {
    this.holders.add(holder);
  }

  /** Removes a holder. Returns whether it was the last one. */
  leave(holder: PermitHolder): boolean {
    this.holders.delete(holder);
    return this.holders.size === 0;
  }

  /** Records the limiter's response: `free` requests beside the leases, and one more at `freesAt`. */
  heard(free: number, freesAt: number): void {
    this.free = free;
    this.freesAt = freesAt;
  }

  /** Records the limiter's refusal: nothing is free until `freesAt`. */
  refused(limit: number, freesAt: number, at: number): void {
    this.heard(0, freesAt);
    this.shown = { limit, remaining: 0, until: at + waitSeconds(freesAt - at) * 1000 };
  }

  /** Returns the state to show for a request admitted at `at`, whose permit has already been taken. */
  admitted(limit: number, at: number): LimitState {
    let known = this.free;
    for (const holder of this.holders) known += holder.unspent();
    const { shown } = this;
    const same = shown !== null && shown.limit === limit && at < shown.until;
    const remaining = Math.max(0, same ? Math.min(shown.remaining - 1, known) : known);
    const until = same ? shown.until : at + waitSeconds(this.freesAt - at) * 1000;
    this.shown = { limit, remaining, until };
    return { remaining, resetIn: waitSeconds(until - at) };
  }
}
