import { sha256 } from '../../kernel/crypto/crypto.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';

/** A part of a stored thing that a form edits: a field of the API's patch, or a cell of a grid. */
export type EditPart<Stored> = {
  readonly label: string;
  /** Returns a value in words. */
  say?(value: unknown): string;
} & (
  | { readonly key: keyof Stored & string; readonly of?: undefined }
  | {
      readonly key: string;
      /** Returns the part's stored value, as the form sends it back; by default what is stored under its key. */
      of(stored: Stored): unknown;
    }
);

/** Returns a part's stored value. */
export const storedPart = <Stored>(part: EditPart<Stored>, stored: Stored): unknown =>
  part.of ? part.of(stored) : stored[part.key];

/** Values of parts by key. */
export type Values = Readonly<Record<string, unknown>>;

/** A part that both this form and someone else changed, in words. */
export interface Conflict {
  readonly label: string;
  readonly yours: string;
  readonly theirs: string;
}

/** What a submitted form changes. */
export interface Changes {
  /** The parts that the form changed and nobody else did. */
  readonly mine: Values;
  /** The parts that both changed: the form's values. */
  readonly contested: Values;
  readonly conflicts: readonly Conflict[];
  /** Whether someone else changed a part that the form left alone. */
  readonly hasOthers: boolean;
}

/** Characters of a fingerprint: a collision would only hide that someone else changed the same part. */
const FINGERPRINT_LENGTH = 8;

const fingerprint = (value: unknown): string => sha256(canonicalJson(value)).slice(0, FINGERPRINT_LENGTH);

/** Returns fingerprints of parts as the form shows them, for a hidden field. */
export const writeShown = <Stored>(parts: readonly EditPart<Stored>[], stored: Stored): string =>
  parts.map((part) => `${part.key}:${fingerprint(storedPart(part, stored))}`).join(' ');

/** Returns the stored values of parts, for what the API only takes as a whole. */
export const storedValues = <Stored>(parts: readonly EditPart<Stored>[], stored: Stored): Values =>
  Object.fromEntries(parts.map((part) => [part.key, storedPart(part, stored)]));

/** Parses {@link writeShown}. */
const readShown = (text: string): Map<string, string> =>
  new Map(
    text.split(' ').flatMap((entry) => {
      const at = entry.lastIndexOf(':');
      return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)] as const] : [];
    }),
  );

/** Compares a form's values with what it was shown with, and with what is stored by now. */
export function compare<Stored>(
  parts: readonly EditPart<Stored>[],
  stored: Stored,
  form: { values: Values; shown: string },
): Changes {
  const shown = readShown(form.shown);
  const mine: Record<string, unknown> = {};
  const contested: Record<string, unknown> = {};
  const conflicts: Conflict[] = [];
  let hasOthers = false;
  for (const part of parts) {
    const { key, label, say = inWords } = part;
    if (!(key in form.values)) continue;
    const [value, theirs] = [form.values[key], storedPart(part, stored)];
    const before = shown.get(key) ?? fingerprint(theirs);
    const isMine = fingerprint(value) !== before;
    const isTheirs = fingerprint(theirs) !== before;
    if (!isMine && isTheirs) hasOthers = true;
    if (!isMine || canonicalJson(value) === canonicalJson(theirs)) continue;
    if (isTheirs) {
      contested[key] = value;
      conflicts.push({ label, yours: say(value), theirs: say(theirs) });
    } else mine[key] = value;
  }
  return { mine, contested, conflicts, hasOthers };
}

/** Returns a value in words: lists separated by commas, objects as names and values. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ');
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
    return entries.length === 0
      ? 'none'
      : entries.map(([name, part]) => `${name.replaceAll('_', ' ')} ${inWords(part)}`).join(', ');
  }
  return String(value);
}
