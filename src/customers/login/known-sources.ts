import { DAY, isRecent, MAX_CLOCK_STEP_MS } from '../../kernel/core/clock.ts';
import { waitAfter } from './backoff.ts';

/** Networks, and devices, remembered for one account: the most recently used of each. */
const MAX_SOURCES_OF_KIND = 10;
/** Retention of a network or device after its last successful login. */
const KNOWN_SOURCE_RETENTION_MS = 90 * DAY;
/** The shortest interval between two updates of a source's last use. */
const USE_UPDATE_INTERVAL_MS = DAY;
/** Retention of failed attempts after the last one. */
const FAILURE_RETENTION_MS = DAY;

/** Consecutive failed attempts, and the time of the last one (ms). */
interface FailedAttempts {
  readonly count: number;
  readonly at: number;
}

/** A network or device with an earlier successful login, and its failed attempts. */
interface KnownSource {
  /** `n:` and a keyed digest of the network, or `d:` and the SHA-256 of a session's token. */
  readonly id: string;
  readonly usedAt: number;
  readonly wrong: FailedAttempts | null;
}

/** The origin of an attempt: `network` is a keyed digest, `device` the SHA-256 of an earlier session's token. */
export interface Source {
  readonly network: string;
  readonly device: string | null;
}

/** The stored state of an account's guard. Immutable. */
export interface GuardState {
  /** Failed attempts from all unknown sources together. */
  readonly strangers: FailedAttempts | null;
  readonly known: readonly KnownSource[];
}

/** The state of an account that nobody has tried to log in to. */
export const EMPTY_STATE: GuardState = { strangers: null, known: [] };

const networkId = (network: string) => `n:${network}`;
const deviceId = (device: string) => `d:${device}`;

/** Returns the bucket that an attempt counts in: its known device, else its known network, else `null` (unknown). */
export function bucketOf({ known }: GuardState, { network, device }: Source): string | null {
  const ids = [...(device === null ? [] : [deviceId(device)]), networkId(network)];
  return ids.find((id) => known.some((one) => one.id === id)) ?? null;
}

/** Returns whether a bucket is a device's. */
export const isDevice = (bucket: string | null): boolean => bucket?.startsWith('d:') ?? false;

const failuresOf = (state: GuardState, bucket: string | null): FailedAttempts | null =>
  bucket === null ? state.strangers : (state.known.find(({ id }) => id === bucket)?.wrong ?? null);

/** Returns the wait (ms) before the bucket's next attempt. */
export function delayOf(state: GuardState, bucket: string | null, at: number): number {
  const wrong = failuresOf(state, bucket);
  // A later failure was counted by a clock that was set back since.
  return wrong && wrong.at <= at + MAX_CLOCK_STEP_MS
    ? Math.max(0, wrong.at + waitAfter(wrong.count) - at)
    : 0;
}

const withFailures = (state: GuardState, bucket: string | null, wrong: FailedAttempts | null): GuardState =>
  bucket === null
    ? { ...state, strangers: wrong }
    : { ...state, known: state.known.map((one) => (one.id === bucket ? { ...one, wrong } : one)) };

/** Counts a failed attempt. */
export const afterFailure = (state: GuardState, bucket: string | null, at: number): GuardState =>
  withFailures(state, bucket, { count: (failuresOf(state, bucket)?.count ?? 0) + 1, at });

/** Clears the bucket's failed attempts after a successful one. */
export const afterSuccess = (state: GuardState, bucket: string | null): GuardState =>
  failuresOf(state, bucket) === null ? state : withFailures(state, bucket, null);

/** Remembers the source of a successful login; the least recently used sources are evicted. */
export function remember(state: GuardState, { network, device }: Source, at: number): GuardState {
  const ids = [networkId(network), ...(device === null ? [] : [deviceId(device)])];
  const isNoted = (id: string) =>
    state.known.some((one) => one.id === id && isRecent(one.usedAt, USE_UPDATE_INTERVAL_MS, at));
  if (ids.every(isNoted)) return state;
  const used = ids.map((id) => {
    const before = state.known.find((one) => one.id === id);
    return { id, usedAt: at, wrong: before?.wrong ?? null };
  });
  const known = [...used, ...state.known.filter(({ id }) => !ids.includes(id))];
  const newest = (kind: string) =>
    known.filter(({ id }) => id.startsWith(kind)).slice(0, MAX_SOURCES_OF_KIND);
  return { ...state, known: [...newest('n:'), ...newest('d:')] };
}

/** Removes expired entries. `next` is the time of the next expiry, `null` when no entry is left. */
export function prune(state: GuardState, at: number): { state: GuardState; next: number | null } {
  const fresh = (wrong: FailedAttempts | null) =>
    wrong && wrong.at + FAILURE_RETENTION_MS > at ? wrong : null;
  const left = {
    strangers: fresh(state.strangers),
    known: state.known
      .filter(({ usedAt }) => usedAt + KNOWN_SOURCE_RETENTION_MS > at)
      .map((one) => ({ ...one, wrong: fresh(one.wrong) })),
  };
  const ends = [
    ...(left.strangers ? [left.strangers.at + FAILURE_RETENTION_MS] : []),
    ...left.known.map(({ usedAt }) => usedAt + KNOWN_SOURCE_RETENTION_MS),
  ];
  return { state: left, next: ends.length > 0 ? Math.min(...ends) : null };
}
