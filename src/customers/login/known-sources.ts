import { DAY } from '../../kernel/core/clock.ts';
import { waitAfter } from './backoff.ts';

/** Networks, and devices, remembered for one account: the most recently used of each. */
const MAX_EACH = 10;
/** Retention of a network or device after its last successful login. */
const KNOWN_SOURCE_MS = 90 * DAY;
/** The shortest interval between two updates of a source's last use. */
const USE_UPDATE_INTERVAL_MS = DAY;
/** Retention of failed attempts after the last one. */
const FAILURE_RETENTION_MS = DAY;

/** Consecutive failed attempts, and the time of the last one (ms). */
export interface Wrong {
  readonly count: number;
  readonly at: number;
}

/** A network or device with an earlier successful login, and its failed attempts. */
interface Known {
  /** `n:` and a keyed digest of the network, or `d:` and the SHA-256 of a session's token. */
  readonly id: string;
  readonly usedAt: number;
  readonly wrong: Wrong | null;
}

/** The origin of an attempt: `network` is a keyed digest, `device` the SHA-256 of an earlier session's token. */
export interface Source {
  readonly network: string;
  readonly device: string | null;
}

/** The stored state of an account's guard. Immutable. */
export interface Memory {
  /** Failed attempts from all unknown sources together. */
  readonly strangers: Wrong | null;
  readonly known: readonly Known[];
}

export const NOTHING: Memory = { strangers: null, known: [] };

const networkId = (network: string) => `n:${network}`;
const deviceId = (device: string) => `d:${device}`;

/** Returns the bucket that an attempt counts in: its known device, else its known network, else `null` (unknown). */
export function bucketOf({ known }: Memory, { network, device }: Source): string | null {
  const ids = [...(device === null ? [] : [deviceId(device)]), networkId(network)];
  return ids.find((id) => known.some((one) => one.id === id)) ?? null;
}

/** Returns whether a bucket is a device's. */
export const isDevice = (bucket: string | null): boolean => bucket?.startsWith('d:') ?? false;

const wrongOf = (memory: Memory, bucket: string | null): Wrong | null =>
  bucket === null ? memory.strangers : (memory.known.find(({ id }) => id === bucket)?.wrong ?? null);

/** Returns the wait (ms) before the bucket's next attempt. */
export function waitOf(memory: Memory, bucket: string | null, at: number): number {
  const wrong = wrongOf(memory, bucket);
  return wrong ? Math.max(0, wrong.at + waitAfter(wrong.count) - at) : 0;
}

const withWrong = (memory: Memory, bucket: string | null, wrong: Wrong | null): Memory =>
  bucket === null
    ? { ...memory, strangers: wrong }
    : { ...memory, known: memory.known.map((one) => (one.id === bucket ? { ...one, wrong } : one)) };

/** Counts a failed attempt. */
export const afterWrong = (memory: Memory, bucket: string | null, at: number): Memory =>
  withWrong(memory, bucket, { count: (wrongOf(memory, bucket)?.count ?? 0) + 1, at });

/** Clears the bucket's failed attempts after a successful one. */
export const afterRight = (memory: Memory, bucket: string | null): Memory =>
  wrongOf(memory, bucket) === null ? memory : withWrong(memory, bucket, null);

/** Remembers the source of a successful login; the least recently used sources are evicted. */
export function remember(memory: Memory, { network, device }: Source, at: number): Memory {
  const ids = [networkId(network), ...(device === null ? [] : [deviceId(device)])];
  const isRecent = (id: string) =>
    memory.known.some((one) => one.id === id && at - one.usedAt < USE_UPDATE_INTERVAL_MS);
  if (ids.every(isRecent)) return memory;
  const used = ids.map((id) => {
    const before = memory.known.find((one) => one.id === id);
    return { id, usedAt: at, wrong: before?.wrong ?? null };
  });
  const known = [...used, ...memory.known.filter(({ id }) => !ids.includes(id))];
  const newest = (kind: string) => known.filter(({ id }) => id.startsWith(kind)).slice(0, MAX_EACH);
  return { ...memory, known: [...newest('n:'), ...newest('d:')] };
}

/** Removes expired entries. `next` is the time of the next expiry, `null` when no entry is left. */
export function prune(memory: Memory, at: number): { memory: Memory; next: number | null } {
  const fresh = (wrong: Wrong | null) => (wrong && wrong.at + FAILURE_RETENTION_MS > at ? wrong : null);
  const left = {
    strangers: fresh(memory.strangers),
    known: memory.known
      .filter(({ usedAt }) => usedAt + KNOWN_SOURCE_MS > at)
      .map((one) => ({ ...one, wrong: fresh(one.wrong) })),
  };
  const ends = [
    ...(left.strangers ? [left.strangers.at + FAILURE_RETENTION_MS] : []),
    ...left.known.map(({ usedAt }) => usedAt + KNOWN_SOURCE_MS),
  ];
  return { memory: left, next: ends.length > 0 ? Math.min(...ends) : null };
}
