import { MAX_STORED_ERRORS } from '../schemas.ts';
import type { LineError } from './csv-row.ts';

/** Longest message of a line error, in characters. */
export const MAX_MESSAGE_LENGTH = 1_000;

/** Collects line errors: keeps the first {@link MAX_STORED_ERRORS} and counts all. */
export class LineErrors {
  readonly kept: LineError[] = [];
  /** The number of lines with an error. */
  count = 0;

  /** Adds errors, one for each line; `others` counts further errors that were not kept. */
  add(errors: readonly LineError[], others = 0): void {
    this.count += errors.length + others;
    for (const { line, message } of errors.slice(0, MAX_STORED_ERRORS - this.kept.length)) {
      const text =
        message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : message;
      this.kept.push({ line, message: text.toWellFormed() });
    }
  }
}

/** Merges the errors of each line into one, in line order. */
export function byLine(errors: readonly LineError[]): LineError[] {
  const lines = Map.groupBy(errors, ({ line }) => line);
  return [...lines]
    .sort(([a], [b]) => a - b)
    .map(([line, list]) => ({ line, message: list.map(({ message }) => message).join(' ') }));
}
