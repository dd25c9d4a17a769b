/** The value of an option. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The options of a line by name, from a request: any key except `__proto__`. */
export type Options = Readonly<Record<string, Json>>;

/** The most bytes of options as JSON, and their deepest nesting. */
const MAX_OPTIONS_BYTES = 4096;
const MAX_OPTIONS_DEPTH = 5;

/** Returns an error message for the options as a whole, or null. */
export function optionsError(given: unknown): string | null {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return 'must be an object';
  const error = nestingError(given, 1);
  if (error) return error;
  const bytes = new TextEncoder().encode(JSON.stringify(given)).length;
  return bytes > MAX_OPTIONS_BYTES ? `must have at most ${MAX_OPTIONS_BYTES} bytes` : null;
}

function nestingError(part: unknown, level: number): string | null {
  if (part === null || typeof part !== 'object') return null;
  if (level > MAX_OPTIONS_DEPTH) return `must not nest deeper than ${MAX_OPTIONS_DEPTH} levels`;
  for (const [key, value] of Object.entries(part)) {
    if (key === '__proto__') return 'must not have a key "__proto__"';
    const error = nestingError(value, level + 1);
    if (error) return error;
  }
  return null;
}

/** Returns an own property of the options, never an inherited one. */
export const option = (options: Options, name: string): Json | undefined =>
  Object.hasOwn(options, name) ? options[name] : undefined;

/** Returns a valid quantity (0 to 9,999), or null. */
export const parseQuantity = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 9_999 ? value : null;
