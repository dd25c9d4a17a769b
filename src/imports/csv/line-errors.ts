import { MAX_ERRORS } from '../schemas.ts';
import type { LineError } from './csv-row.ts';

/** A message about a line has at most this many characters. */
export const MAX_MESSAGE = 1_000;

/** Errors of lines as they are met: keeps the first {@link MAX_ERRORS}, and counts all. */
export class LineErrors {
  readonly kept: LineError[] = [];
  /** How many lines have an error. */
  count = 0;

  /** Adds errors, one for each line, and the count of those that are kept no more. */
  add(errors: readonly LineError[], others = 0): void {
    this.count += errors.length + others;
    for (const { line, message } of errors.slice(0, MAX_ERRORS - this.kept.length)) {
      const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message;
      this.kept.push({ line, message: text.toWellFormed() });
    }
  }
}

/** Returns one error for each line, in their order. */
export function byLine(errors: readonly LineError[]): LineError[] {
  const lines = Map.groupBy(errors, ({ line }) => line);
  return [...lines]
    .sort(([a], [b]) => a - b)
    .map(([line, list]) => ({ line, message: list.map(({ message }) => message).join(' ') }));
}
