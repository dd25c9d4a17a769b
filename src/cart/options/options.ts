/** What may be an option's value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The options of a line, by name: an object out of a request, whose keys may be anything but `__proto__`. */
export type Options = Readonly<Record<string, Json>>;

/** How many bytes options may have as JSON, and how deep they may nest. */
const MOST_BYTES = 4096;
const MOST_LEVELS = 5;

/** What is wrong with options as a whole, or `null`. */
export function optionsError(given: unknown): string | null {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return 'must be an object';
  const fault = unsafe(given, 1);
  if (fault) return fault;
  const bytes = new TextEncoder().encode(JSON.stringify(given)).length;
  return bytes > MOST_BYTES ? `must have at most ${MOST_BYTES} bytes` : null;
}

function unsafe(part: unknown, level: number): string | null {
  if (part === null || typeof part !== 'object') return null;
  if (level > MOST_LEVELS) return `must not nest deeper than ${MOST_LEVELS} levels`;
  for (const [key, value] of Object.entries(part)) {
    if (key === '__proto__') return 'must not have a key "__proto__"';
    const fault = unsafe(value, level + 1);
    if (fault) return fault;
  }
  return null;
}

/** An option of this name, and never what objects inherit. */
export const option = (options: Options, name: string): Json | undefined =>
  Object.hasOwn(options, name) ? options[name] : undefined;

/** A whole number that a cart can hold (0 too), or null. */
export const countOf = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 9_999 ? value : null;
