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
/** After so long a turn is over: a request that was cancelled never ends its own. */
const MAX_TURN_MS = 15_000;

/** A tenant's responses that are alike in size, such as pages of one list. */
export interface Kind {
  readonly tenantId: number;
  readonly name: string;
}

interface Turn {
  readonly tenantId: number;
  readonly size: number;
  readonly since: number;
}

/** The largest response of each kind so far. */
const largest = new BoundedMap<string, number>(MAX_KINDS);
const running = new Set<Turn>();

const keyOf = ({ tenantId, name }: Kind): string => `${tenantId} ${name}`;

/** Remembers the size of a response. */
export function learnSize(kind: Kind, size: number): void {
  const key = keyOf(kind);
  if (size > (largest.get(key) ?? -1)) largest.set(key, size);
}

/** Returns whether a turn fits beside those that are running, and ends those that are over. */
function fits({ tenantId, size }: Turn): boolean {
  let [all, own] = [0, 0];
  for (const turn of running) {
    if (!isRecent(turn.since, MAX_TURN_MS)) running.delete(turn);
    else {
      all += turn.size;
      if (turn.tenantId === tenantId) own += turn.size;
    }
  }
  return (all === 0 || all + size <= MOST) && (own === 0 || own + size <= MOST_OF_TENANT);
}

/**
 * Makes a response once there is memory for it. Those of a kind that was small so far start at once. Returns null if no
 * turn came in five seconds.
 */
export async function inTurn<T>(kind: Kind, make: () => Promise<T>): Promise<T | null> {
  const size = largest.get(keyOf(kind)) ?? UNKNOWN;
  if (size < SMALL) return make();
  const askedAt = now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
    const turn = { tenantId: kind.tenantId, size, since: now() };
    if (fits(turn)) {
      running.add(turn);
      return make().finally(() => running.delete(turn));
    }
    if (!isRecent(askedAt, MAX_WAIT_MS)) return null;
    await scheduler.wait(pause);
  }
}
