import { FORMAT, type Head, type Line } from './state.ts';

/** A head as stored by any earlier version. Format 0 has no `format` and lacks some fields. */
type StoredHead = Pick<
  Head,
  'token' | 'currency' | 'createdAt' | 'changedAt' | 'version' | 'shown' | 'nextLine'
> &
  Partial<Head>;
type StoredLine = Omit<Line, 'was' | 'gone'> & Partial<Line>;

/** The defaults of the fields that a stored head may lack. */
const ABSENT = {
  address: null,
  email: null,
  customerId: null,
  coupon: null,
  order: null,
  heard: null,
  reserved: null,
  seen: 0,
  // Forces repricing and a settings update on the next call.
  pricedAt: 0,
  shopAt: 0,
  guesses: { wrong: 0, until: 0 },
  movedTo: null,
  expired: null,
} as const;

/** The stored parts in the current format, and whether they were upgraded. */
export interface ReadParts {
  readonly head: Head;
  readonly lines: readonly Line[];
  readonly older: boolean;
}

/** Parses stored JSON and upgrades it to {@link FORMAT}; returns null if a newer version wrote it. */
export function readParts(headText: string, lineTexts: readonly string[]): ReadParts | null {
  // Written by this version of CartStore or an earlier one.
  const head = JSON.parse(headText) as StoredHead;
  const { format = 0 } = head;
  if (format > FORMAT) return null;
  const lines = lineTexts.map((text) => ({ was: null, gone: false, ...(JSON.parse(text) as StoredLine) }));
  return { head: { ...ABSENT, ...head, format: FORMAT }, lines, older: format < FORMAT };
}

/**
 * The error for a cart that a newer version stored before a deploy was rolled back. The object neither reads
 * nor writes it, and the client gets a 503 as if the object were unreachable.
 */
export class NewerFormat extends Error {
  constructor() {
    super('Durable Object: the cart was stored by a newer version');
  }
}
