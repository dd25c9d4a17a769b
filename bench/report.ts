/** A measured figure and its target. */
export interface Finding {
  readonly measure: string;
  readonly reach: string;
  readonly figure: string;
  /** Null for a figure without a target. */
  readonly reached: boolean | null;
}

/** Returns the median. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** Returns the percentile for a share (0 to 1), by nearest rank. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

/** Prints a Markdown table. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const all = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = all;
  console.log(
    [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n'),
  );
}
