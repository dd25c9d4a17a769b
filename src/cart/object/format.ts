import { FORMAT, type Head, type Line } from './state.ts';

/** A cart's head as any earlier version may have stored it: format 0 had no number, and fewer fields. */
type StoredHead = Pick<
  Head,
  'token' | 'currency' | 'createdAt' | 'changedAt' | 'version' | 'shown' | 'nextLine'
> &
  Partial<Head>;
type StoredLine = Omit<Line, 'was' | 'gone'> & Partial<Line>;

/** What fields are that came later than a stored head. */
const ABSENT = {
  address: null,
  email: null,
  customerId: null,
  coupon: null,
  order: null,
  heard: null,
  reserved: null,
  seen: 0,
  // Priced again, and settings taken over, at the next call.
  pricedAt: 0,
  shopAt: 0,
  guesses: { wrong: 0, until: 0 },
  movedTo: null,
  expired: null,
} as const;

/** The stored parts of a cart in today's format, and whether they were of an older one. */
export interface ReadParts {
  readonly head: Head;
  readonly lines: readonly Line[];
  readonly older: boolean;
}

/** Reads the stored JSON of head and lines, upgraded to {@link FORMAT}; null where a newer version stored it. */
export function readParts(headText: string, lineTexts: readonly string[]): ReadParts | null {
  // Written by this version of CartStore or an earlier one.
  const head = JSON.parse(headText) as StoredHead;
  const { format = 0 } = head;
  if (format > FORMAT) return null;
  const lines = lineTexts.map((text) => ({ was: null, gone: false, ...(JSON.parse(text) as StoredLine) }));
  return { head: { ...ABSENT, ...head, format: FORMAT }, lines, older: format < FORMAT };
}

/**
 * Thrown for a cart that a newer version has stored, after a deploy was rolled back: nothing of it is read or
 * written, and the caller gets a 503 as while the object is out of reach.
 */
export class NewerFormat extends Error {
  constructor() {
    super('Durable Object: the cart was stored by a newer version');
  }
}
