import { ifMatch, matchedTags } from '../../kernel/cache/cached-body.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { Call } from '../../kernel/http/context.ts';
import { catalogContext } from '../context.ts';
import type { CategoryDetailRow } from '../reads/rows.ts';
import { MAX_WRITE_ATTEMPTS } from '../writes/save-product.ts';
import { patchCategory } from './change-category.ts';
import type { CategoryPatch } from './schemas.ts';
import { loadCategory, type SavedCategory } from './store.ts';

/**
 * Returns the category if `If-Match` permits a write. `expected` is its revision, or null where the header permits any.
 */
export async function loadForWrite(
  call: Call,
  id: number,
): Promise<Result<{ readonly before: CategoryDetailRow; readonly expected: number | null }>> {
  const before = await loadCategory(call, id);
  if (!before) return fail('category_not_found');
  const header = call.c.req.header('if-match');
  if (!ifMatch(header, before.revision)) return fail('precondition_failed');
  const permitsAny = header === undefined || matchedTags(header).includes('*');
  return ok({ before, expected: permitsAny ? null : before.revision });
}

/**
 * Patches a category as it was read, so that two equal requests at once change it once. Retries from the read when
 * another write wins; the last attempt writes over whatever `If-Match` permits.
 */
export async function savePatch(
  call: Call,
  id: number,
  patch: CategoryPatch,
): Promise<Result<SavedCategory>> {
  for (let attempt = 1; ; attempt++) {
    const found = await loadForWrite(call, id);
    if (!found.ok) return found;
    const { before } = found.value;
    const isLast = attempt === MAX_WRITE_ATTEMPTS;
    const expected = isLast ? found.value.expected : before.revision;
    const saved = await patchCategory(catalogContext(call, call.caller), before, { patch, expected });
    if (saved.ok || isLast || saved.failure.code !== 'precondition_failed') return saved;
  }
}
