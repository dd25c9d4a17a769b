import { MINUTE, now } from '../kernel/core/clock.ts';
import { errorName, log } from '../kernel/core/log.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { Chore } from '../kernel/data/chore.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { slugsOf } from '../kernel/shards/placements.ts';
import { objectKeys } from './object-keys.ts';
import { beginDeletion, claimUnfinished, endDeletion, removeRows, type ShownBy, slugOf } from './store.ts';

/**
 * How long a row may be unfinished (ms): an upload that is still writing its object then, or a resized copy that
 * is still being written for a deleted image, has died.
 */
const UNFINISHED_AFTER_MS = 15 * MINUTE;
/** The most images of one step: R2 deletes at most 1,000 objects in a call, and an image has seven. */
const IMAGES_PER_STEP = 100;

/**
 * Deletes an image with its copies. `media_in_use` while a product, a category or the theme shows it.
 * It is gone from the API at once. Its objects go with the call or, should R2 fail, within half an hour.
 */
export async function deleteMedia(ctx: TenantContext, id: string, shownBy: ShownBy): Promise<Result<void>> {
  const { env, tenantId } = ctx;
  const slug = await slugOf(env, tenantId);
  const begun = await beginDeletion(ctx, id, shownBy);
  if (begun === null) return fail('media_not_found');
  if (!('hash' in begun)) {
    const { productIds, categoryIds, theme } = begun;
    return fail('media_in_use', { details: { product_ids: productIds, category_ids: categoryIds, theme } });
  }
  try {
    await env.MEDIA.delete(objectKeys(slug, begun.hash));
    await endDeletion(ctx, begun);
  } catch (error) {
    log('media_not_deleted', { tenant: tenantId, media: id, name: errorName(error) });
  }
  return ok(undefined);
}

/**
 * Chore that ends images which are not stored: uploads and deletions that broke off, and deleted ones, whose
 * copies may have been written while they were deleted.
 */
export const endUnfinishedMedia: Chore = async ({ env, db }) => {
  const claimed = await claimUnfinished(db, now() - UNFINISHED_AFTER_MS, IMAGES_PER_STEP);
  if (claimed.length === 0) return {};
  const slugs = await slugsOf(env, [...new Set(claimed.map(({ tenantId }) => tenantId))]);
  await env.MEDIA.delete(
    claimed.flatMap(({ tenantId, hash }) => objectKeys(slugs.get(tenantId) ?? '', hash)),
  );
  await removeRows(db, claimed);
  return { more: claimed.length < IMAGES_PER_STEP ? undefined : {} };
};
