import { commit } from '../../events/index.ts';
import { newCause } from '../../inventory/index.ts';
import { guardFailed, type Statement } from '../../kernel/data/database.ts';
import type { CatalogContext } from '../context.ts';
import type { ProductWrite } from '../writes/product-rows.ts';
import { writeStatements } from '../writes/product-statements.ts';

/**
 * Commits the writes of several products, all or none, and marks the request's Idempotency-Key in the same batch. Returns
 * the new catalogue version, or null when one of the products has changed since it was read.
 */
export async function commitWrites(
  ctx: CatalogContext,
  writes: readonly ProductWrite[],
  marks: readonly Statement[],
): Promise<number | null> {
  const cause = newCause(ctx, 'product');
  try {
    const { version } = await commit(ctx, {
      batches: [cause.batch],
      statements: [...marks, ...writeStatements(ctx, cause, writes)],
      catalogChanged: true,
    });
    return version;
  } catch (error) {
    if (!guardFailed(error)) throw error;
    return null;
  }
}
