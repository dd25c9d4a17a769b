import { numbered, statementsOf } from '../src/catalog/index.ts';
import { id } from '../src/kernel/crypto.ts';
import { batch, database } from '../src/kernel/database.ts';
import { product } from './catalogue.ts';

/** Which products of a seeded catalogue are to be written, and to whom. */
export interface Filling {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly tenantId: number;
  readonly currency: string;
  /** The categories that products may be in. */
  readonly categories: readonly number[];
}

/** Writes products with the catalogue's own statements, in one batch. */
export async function batchOf(
  env: Env,
  { seed, from, count, ...shop }: Filling,
): Promise<{ written: number }> {
  const db = database(env);
  const wishes = Array.from({ length: count }, (_, at) => ({
    before: null,
    after: product(seed, from + at, shop.currency, shop.categories),
  }));
  const cause = { tenantId: shop.tenantId, batch: id('bat'), reason: 'created' };
  const writes = await numbered(db, wishes, shop.currency);
  await batch(
    db,
    writes.flatMap((write) => statementsOf(db, cause, write)),
  );
  return { written: writes.length };
}
