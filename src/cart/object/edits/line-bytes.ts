import type { Line } from '../state.ts';

/** The most bytes of all lines as JSON: checkout stores them in one row of at most 2 MB. */
export const MAX_LINES_BYTES = 1024 * 1024;

const sizes = new WeakMap<Line, number>();

/** Returns the bytes of a line as JSON; each line is measured once. */
export function bytesOf(line: Line): number {
  const bytes = sizes.get(line) ?? Buffer.byteLength(JSON.stringify(line));
  sizes.set(line, bytes);
  return bytes;
}
