import { isText, NOT_TEXT } from './text.ts';

/** How many of a body's faults are named. */
const MAX_FAULTS = 100;

/** An array or object of a JSON value, and where it is in it. */
interface Place {
  readonly container: unknown[] | Record<string, unknown>;
  readonly above: Place | null;
  readonly key: string;
}

/** A JSON value whose strings are all in NFC; or field → what is wrong with its text. */
export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: Record<string, string[]> };

/**
 * Brings every string of a parsed JSON value into NFC, names included. A string that is no text
 * (see {@link isText}), and a name that an object then has twice, is an error. Changes the value in place;
 * not recursive, since a body may nest as deeply as it likes.
 */
export function normalizeJson(json: string, value: unknown): JsonText {
  // ASCII without escapes has nothing to normalise: JSON itself has no bare control characters.
  if (/^[\x20-\x7e\s]*$/.test(json) && !json.includes('\\u')) return { ok: true, value };
  const faults = new Map<string, string[]>();
  const root: Record<string, unknown> = { body: value };
  const open: Place[] = [{ container: root, above: null, key: '' }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { container } = place;
    if (!Array.isArray(container)) renameKeys(container, place, faults);
    for (const [key, part] of Object.entries(container)) {
      if (typeof part === 'string') {
        if (!isText(part)) note(faults, place, key, NOT_TEXT);
        else if (part !== part.normalize('NFC')) set(container, key, part.normalize('NFC'));
      } else if (isContainer(part)) open.push({ container: part, above: place, key });
    }
  }
  return faults.size > 0 ? { ok: false, errors: Object.fromEntries(faults) } : { ok: true, value: root.body };
}

const isContainer = (part: unknown): part is Place['container'] => part !== null && typeof part === 'object';

/** Defines a property, since assigning to one named `__proto__` would do something else. */
function set(container: object, key: string, value: unknown): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

function renameKeys(container: Record<string, unknown>, place: Place, faults: Map<string, string[]>): void {
  const entries = Object.entries(container);
  for (const [key] of entries) if (!isText(key)) note(faults, place, key, NOT_TEXT);
  if (entries.every(([key]) => key === key.normalize('NFC'))) return;
  for (const [key] of entries) delete container[key];
  for (const [key, part] of entries) {
    const name = key.normalize('NFC');
    if (Object.hasOwn(container, name)) note(faults, place, name, 'is named twice');
    set(container, name, part);
  }
}

function note(faults: Map<string, string[]>, place: Place, key: string, message: string): void {
  if (faults.size >= MAX_FAULTS) return;
  const path = [key];
  // The outermost two are the wrapper around the body and the body itself.
  for (let at: Place | null = place; at?.above?.above; at = at.above) path.unshift(at.key);
  faults.set(place.above ? path.join('.').toWellFormed() : 'body', [message]);
}
