import { expect } from 'vitest';
import page from '../../../docs/budgets.md?raw';
import type { StorageCalls } from './storage-calls.ts';

const EXACT = ['database', 'search', 'objects', 'cache', 'media', 'queues'] as const;
const UPPER = ['read', 'written'] as const;

/** The figures of the tables in docs/budgets.md by their first cell: calls are exact, rows upper bounds. */
export const documentedBudgets: ReadonlyMap<string, readonly number[]> = new Map(
  page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 11 && /^\d+$/.test(cells[2] ?? ''))
    .map(([, name = '', ...cells]) => [name.replaceAll('`', ''), cells.slice(0, 8).map(Number)] as const),
);

/** Compares what something cost with its row of the tables. Names the row as it should be. */
export function expectBudget(name: string, calls: StorageCalls): void {
  const figures = documentedBudgets.get(name) ?? [];
  const row = [...EXACT.map((key) => calls[key]), ...UPPER.map((key) => bound(calls[key]))];
  const shown = `| \`${name}\` | ${row.join(' | ')} |`;
  expect(figures.slice(0, EXACT.length), shown).toEqual(EXACT.map((key) => calls[key]));
  for (const [n, key] of UPPER.entries()) {
    expect(calls[key], shown).toBeLessThanOrEqual(figures[EXACT.length + n] ?? -1);
  }
}

/** Doubles and rounds up to 1, 2 or 5 times a power of ten: rows differ with what other tests left behind. */
function bound(rows: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, rows))));
  return rows === 0 ? 0 : ([1, 2, 5, 10].find((n) => n * power >= rows * 2) ?? 20) * power;
}
