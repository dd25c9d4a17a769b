import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one call of an operation costs in storage. */
export interface Budget {
  /** Round trips to the main database and to that of search. */
  readonly trips: number;
  readonly searchTrips: number;
  readonly objects: number;
  readonly kv: number;
  readonly queues: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

const page = readFileSync(join(import.meta.dirname, '../../docs/budgets.md'), 'utf8');
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Returns how many rows objects write for a row of the second table of docs/budgets.md, which a test compares too. */
export function objectRowsOf(name: string): number {
  const cells = page
    .split('\n')
    .map(cellsOf)
    .find(([what, , more]) => what === name && more === undefined);
  if (!cells) throw new Error(`docs/budgets.md has no rows of objects for ${name}`);
  return Number(cells[1]);
}

/** Reads the table of docs/budgets.md, which a test compares with measured calls. By operation: `GET /v1/products`. */
export function readBudgets(): ReadonlyMap<string, Budget> {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.map((line) => {
      const [name = '', ...cells] = cellsOf(line);
      const [trips = 0, searchTrips = 0, objects = 0, kv = 0, , queues = 0, rowsRead = 0, rowsWritten = 0] =
        cells.map(Number);
      const budget = { trips, searchTrips, objects, kv, queues, rowsRead, rowsWritten };
      return [name.replaceAll('`', ''), budget] as const;
    }),
  );
}
