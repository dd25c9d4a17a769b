/** Turns of the responses that an isolate makes at once, by their size: it has 128 MiB of memory for everything. */
import { BoundedMap } from '../core/bounded-map.ts';
import { isRecent, now } from '../core/clock.ts';

/** Sizes are in characters of the body. While it is made, each takes about four bytes: rows, values and text. */
const MI = 1024 * 1024;
/** The most of all responses that are made at once, and of those of one tenant. A larger one is made alone. */
const MOST = 24 * MI;
const MOST_OF_TENANT = 8 * MI;
/** What counts for a response of which no size is known yet. */
const UNKNOWN = 2 * MI;
/** Smaller ones take no turn. */
const SMALL = MI / 4;
/** How many kinds of responses an isolate knows the size of. */
const MAX_KINDS = 10_000;

/** How long a response waits for its turn, and after which pauses it looks: each twice as long, up to the last (ms). */
const MAX_WAIT_MS = 5_000;
const [FIRST_PAUSE_MS, LAST_PAUSE_MS] = [10, 80];
/** After so long a turn is over: a request that was cancelled never ends its own. Nor does it look for one again. */
const MAX_TURN_MS = 15_000;
const ABANDONED_AFTER_MS = 4 * LAST_PAUSE_MS;

/** A tenant's responses that are alike in size, such as pages of one list. */
export interface Kind {
  readonly tenantId: number;
  readonly name: string;
}

interface Turn {
  readonly tenantId: number;
  readonly size: number;
  /** When it began, or was asked for (ms). */
  readonly since: number;
}

/** The largest response of each kind so far. */
const largest = new BoundedMap<string, number>(MAX_KINDS);
const running = new Set<Turn>();
/** The turns that are waited for, and when each was last looked for. */
const waiting = new Map<Turn, number>();
/** The tenants that had a turn, numbered in the order of their last ones. */
const served = new BoundedMap<number, number>(MAX_KINDS);
let turns = 0;

const keyOf = ({ tenantId, name }: Kind): string => `${tenantId} ${name}`;

/** Remembers the size of a response. */
export function learnSize(kind: Kind, size: number): void {
  const key = keyOf(kind);
  if (size > (largest.get(key) ?? -1)) largest.set(key, size);
}

/** Returns what is running, of all tenants and of each, and ends the turns that are over. */
function runningSizes() {
  const own = new Map<number, number>();
  let all = 0;
  for (const turn of running) {
    if (!isRecent(turn.since, MAX_TURN_MS)) running.delete(turn);
    else {
      all += turn.size;
      own.set(turn.tenantId, turn.size + (own.get(turn.tenantId) ?? 0));
    }
  }
  return { all, own };
}

const fits = (taken: number, size: number, most: number): boolean => taken === 0 || taken + size <= most;

/**
 * Returns whether a turn may begin: it fits beside those that are running, and no other tenant waits for memory whose
 * last turn was earlier. Else those with many requests would take all that becomes free.
 */
function mayBegin(turn: Turn): boolean {
  const { all, own } = runningSizes();
  const fitsOwn = ({ tenantId, size }: Turn) => fits(own.get(tenantId) ?? 0, size, MOST_OF_TENANT);
  if (!fits(all, turn.size, MOST) || !fitsOwn(turn)) return false;
  const last = served.get(turn.tenantId) ?? 0;
  for (const [other, lookedAt] of waiting) {
    if (!isRecent(lookedAt, ABANDONED_AFTER_MS)) waiting.delete(other);
    else if ((served.get(other.tenantId) ?? 0) < last && fitsOwn(other)) return false;
  }
  return true;
}

/**
 * Makes a response once there is memory for it. Those of a kind that was small so far start at once. Returns null if no
 * turn came in five seconds.
 */
export async function inTurn<T>(kind: Kind, make: () => Promise<T>): Promise<T | null> {
  const size = largest.get(keyOf(kind)) ?? UNKNOWN;
  if (size < SMALL) return make();
  const turn = { tenantId: kind.tenantId, size, since: now() };
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
    const begins = mayBegin(turn);
    waiting.delete(turn);
    if (begins) return runTurn({ ...turn, since: now() }, make);
    if (!isRecent(turn.since, MAX_WAIT_MS)) return null;
    waiting.set(turn, now());
    await scheduler.wait(pause);
  }
}

function runTurn<T>(turn: Turn, make: () => Promise<T>): Promise<T> {
  running.add(turn);
  served.set(turn.tenantId, ++turns);
  return make().finally(() => running.delete(turn));
}
