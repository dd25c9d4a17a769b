import { DAY } from '../../kernel/core/clock.ts';
import { waitAfter } from './backoff.ts';

/** So many networks, and so many devices, are remembered of one account: those used last. */
const MAX_EACH = 10;
/** A network or device is forgotten this long after the account was last signed in to from it. */
const KNOWN_SOURCE_MS = 90 * DAY;
/** The use of one is noted at most this often. */
const NOTED_MS = DAY;
/** Wrong guesses are forgotten this long after the last one. */
const WRONG_MS = DAY;

/** Wrong guesses in a row, and when the last one came (ms). */
export interface Wrong {
  readonly count: number;
  readonly at: number;
}

/** A network or device that signed in before, with the wrong guesses that came from it. */
interface Known {
  /** `n:` and a keyed digest of the network, or `d:` and the SHA-256 of a session's token. */
  readonly id: string;
  readonly usedAt: number;
  readonly wrong: Wrong | null;
}

/** Where an attempt comes from: `network` a keyed digest, `device` the SHA-256 of an earlier session's token. */
export interface Source {
  readonly network: string;
  readonly device: string | null;
}

/** What an account's guard remembers. Never changed: a change makes another one. */
export interface Memory {
  /** Wrong guesses of everybody who isn't known. */
  readonly strangers: Wrong | null;
  readonly known: readonly Known[];
}

export const NOTHING: Memory = { strangers: null, known: [] };

const networkId = (network: string) => `n:${network}`;
const deviceId = (device: string) => `d:${device}`;

/** Whom an attempt is counted as: a known device, else a known network, else `null`, one of the strangers. */
export function bucketOf({ known }: Memory, { network, device }: Source): string | null {
  const ids = [...(device === null ? [] : [deviceId(device)]), networkId(network)];
  return ids.find((id) => known.some((one) => one.id === id)) ?? null;
}

/** Whether a bucket is that of a device. */
export const isDevice = (bucket: string | null): boolean => bucket?.startsWith('d:') ?? false;

const wrongOf = (memory: Memory, bucket: string | null): Wrong | null =>
  bucket === null ? memory.strangers : (memory.known.find(({ id }) => id === bucket)?.wrong ?? null);

/** Returns how long (ms) the next guess of this bucket has to wait. */
export function waitOf(memory: Memory, bucket: string | null, at: number): number {
  const wrong = wrongOf(memory, bucket);
  return wrong ? Math.max(0, wrong.at + waitAfter(wrong.count) - at) : 0;
}

const withWrong = (memory: Memory, bucket: string | null, wrong: Wrong | null): Memory =>
  bucket === null
    ? { ...memory, strangers: wrong }
    : { ...memory, known: memory.known.map((one) => (one.id === bucket ? { ...one, wrong } : one)) };

/** Counts a wrong guess. */
export const afterWrong = (memory: Memory, bucket: string | null, at: number): Memory =>
  withWrong(memory, bucket, { count: (wrongOf(memory, bucket)?.count ?? 0) + 1, at });

/** Forgets the bucket's wrong guesses after a right one. */
export const afterRight = (memory: Memory, bucket: string | null): Memory =>
  wrongOf(memory, bucket) === null ? memory : withWrong(memory, bucket, null);

/** Remembers where the account was signed in to from; the least recently used make room. */
export function remember(memory: Memory, { network, device }: Source, at: number): Memory {
  const ids = [networkId(network), ...(device === null ? [] : [deviceId(device)])];
  const noted = (id: string) => memory.known.some((one) => one.id === id && at - one.usedAt < NOTED_MS);
  if (ids.every(noted)) return memory;
  const used = ids.map((id) => {
    const before = memory.known.find((one) => one.id === id);
    return { id, usedAt: at, wrong: before?.wrong ?? null };
  });
  const known = [...used, ...memory.known.filter(({ id }) => !ids.includes(id))];
  const newest = (kind: string) => known.filter(({ id }) => id.startsWith(kind)).slice(0, MAX_EACH);
  return { ...memory, known: [...newest('n:'), ...newest('d:')] };
}

/** What is left of a memory at an instant, and when to look again; `null` when nothing is left. */
export function prune(memory: Memory, at: number): { memory: Memory; next: number | null } {
  const fresh = (wrong: Wrong | null) => (wrong && wrong.at + WRONG_MS > at ? wrong : null);
  const left = {
    strangers: fresh(memory.strangers),
    known: memory.known
      .filter(({ usedAt }) => usedAt + KNOWN_SOURCE_MS > at)
      .map((one) => ({ ...one, wrong: fresh(one.wrong) })),
  };
  const ends = [
    ...(left.strangers ? [left.strangers.at + WRONG_MS] : []),
    ...left.known.map(({ usedAt }) => usedAt + KNOWN_SOURCE_MS),
  ];
  return { memory: left, next: ends.length > 0 ? Math.min(...ends) : null };
}
