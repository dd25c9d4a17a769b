import { percentile } from '../../bench/report.ts';

/** A kind of job: how often it arrives, and how long the server works on it. */
export interface JobKind {
  readonly perSecond: number;
  readonly ms: number;
}

/** The result of a played queue. Waits and times in the system are in ms. */
export interface Played {
  /** Share of the time in which the server would have to work; above 1 the queue grows without end. */
  readonly utilization: number;
  readonly meanWait: number;
  /** Time from arrival to the end of the work; infinite when the server can't keep up. */
  readonly p99: number;
}

/** Returns the share of a server's time that jobs of these kinds take. */
export const utilizationOf = (kinds: readonly JobKind[]): number =>
  kinds.reduce((sum, { perSecond, ms }) => sum + (perSecond * ms) / 1_000, 0);

/**
 * Plays a server that works on one job at a time in the order of their arrival: Poisson arrivals of each kind,
 * `jobs` in all. The first tenth, while the queue fills, is left out of the result.
 */
export function playQueue(kinds: readonly JobKind[], jobs: number, random: () => number): Played {
  const rate = kinds.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const utilization = utilizationOf(kinds);
  if (rate === 0) return { utilization, meanWait: 0, p99: 0 };
  if (utilization >= 1)
    return { utilization, meanWait: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY };
  const times: number[] = [];
  let [now, freeAt, waited] = [0, 0, 0];
  for (let n = 0; n < jobs; n++) {
    now += (-Math.log(1 - random()) * 1_000) / rate;
    const { ms } = pick(kinds, random() * rate);
    const begins = Math.max(now, freeAt);
    freeAt = begins + ms;
    if (n < jobs / 10) continue;
    waited += begins - now;
    times.push(freeAt - now);
  }
  return { utilization, meanWait: waited / times.length, p99: percentile(times, 0.99) };
}

/** Returns the kind of the job at a point between 0 and the sum of the rates. */
function pick(kinds: readonly JobKind[], point: number): JobKind {
  let rest = point;
  for (const kind of kinds) {
    rest -= kind.perSecond;
    if (rest < 0) return kind;
  }
  return kinds.at(-1) ?? { perSecond: 0, ms: 0 };
}
