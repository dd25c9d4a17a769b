/** Database time (ms) that background work may use at once after a rest, as if it had waited for it before. */
export const BURST_MS = 500;
/** The longest pause (ms) after one slice of background work. Work beyond it is not made up for. */
export const MAX_PAUSE_MS = 5_000;

/**
 * Limits the share of a database's time that all background work of one tenant takes together: each slice of work is
 * charged when it is done, and gets the pause to make before the next one. With these pauses, all work uses at most
 * `share` of any interval, {@link BURST_MS} before it included, and one slice each. In memory: what is lost with it
 * is at most one pause.
 */
export class BackgroundBudget {
  /** When the charged time is made up for (ms). */
  private paidAt = 0;

  constructor(private readonly share: number) {}

  /** Charges database time (ms) at an instant, and returns the pause (ms) that it takes. */
  charge(usedMs: number, at: number): number {
    if (this.share >= 1) return 0;
    const paidAt = Math.max(this.paidAt, at - BURST_MS) + usedMs / this.share;
    this.paidAt = Math.min(paidAt, at + MAX_PAUSE_MS);
    return Math.max(0, Math.ceil(this.paidAt - at));
  }
}

/** The share of a database's time that the background work of one tenant may take, unless configured otherwise. */
const DEFAULT_SHARE = 0.5;

/** Returns the configured share, above 0 and at most 1; 1 stands for no limit. */
export function backgroundShare({ BACKGROUND_SHARE }: Pick<Env, 'BACKGROUND_SHARE'>): number {
  const share = Number(BACKGROUND_SHARE ?? DEFAULT_SHARE);
  return share > 0 && share <= 1 ? share : DEFAULT_SHARE;
}
