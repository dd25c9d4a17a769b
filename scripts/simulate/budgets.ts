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

/** Reads the table of docs/budgets.md, which a test compares with measured calls. By operation: `GET /v1/products`. */
export function readBudgets(): ReadonlyMap<string, Budget> {
  const page = readFileSync(join(import.meta.dirname, '../../docs/budgets.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.map((line) => {
      const [name = '', ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      const [trips = 0, searchTrips = 0, objects = 0, kv = 0, , queues = 0, rowsRead = 0, rowsWritten = 0] =
        cells.map(Number);
      const budget = { trips, searchTrips, objects, kv, queues, rowsRead, rowsWritten };
      return [name.replaceAll('`', ''), budget] as const;
    }),
  );
}
