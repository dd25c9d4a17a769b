import { sql } from 'drizzle-orm';
import { type Database, rows } from '../kernel/data/database.ts';

/**
 * Allocates `count` consecutive ids and returns the first. Products and variants share one sequence, so that
 * an id in the feed is unique.
 */
export async function allocateIds(db: Database, name: 'item' | 'category', count: number): Promise<number> {
  const [row] = await rows<{ value: number }>(
    db,
    sql`UPDATE sequences SET value = value + ${count} WHERE name = ${name} RETURNING value`,
  );
  if (!row) throw new Error('The sequence returned no row');
  return row.value - count + 1;
}
