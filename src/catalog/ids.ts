import { sql } from 'drizzle-orm';
import { type Database, rows } from '../kernel/data/database.ts';

/**
 * Hands out `count` fresh ids and answers the first. Products and variants draw from one sequence, so
 * that a feed row's id names exactly one thing.
 */
export async function allocateIds(db: Database, name: 'item' | 'category', count: number): Promise<number> {
  const [row] = await rows<{ value: number }>(
    db,
    sql`INSERT INTO sequences (name, value) VALUES (${name}, ${count})
      ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value`,
  );
  if (!row) throw new Error('A sequence answered nothing');
  return row.value - count + 1;
}
