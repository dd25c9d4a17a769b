import { errorName, log } from '../../kernel/core/log.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import { batch, guardFailed } from '../../kernel/data/database.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { isOverQuota, quotaExceeded, quotaLeft } from '../../tenants/index.ts';
import { objectKey } from '../object-keys.ts';
import { type Claim, claimUpload, loadByHash, loadMedia, type NewMedia, settleStatements } from '../store.ts';
import type { MediaRow } from '../tables.ts';
import type { ReceivedImage } from './receive-image.ts';

/** The most attempts of an upload under concurrent deletions of the same image, and the wait between (ms). */
const MAX_ATTEMPTS = 5;
const RETRY_WAIT_MS = 200;

/** A tenant, and the slug that names its objects. */
interface MediaContext extends TenantContext {
  readonly slug: string;
}

/**
 * Stores an image once for the tenant, and returns its row; `unavailable` if R2 fails. The row is claimed before the
 * object is written and settled afterwards, so that a crash leaves a claim, which the chore `unfinishedMedia` clears
 * up, and so that a visible row always has its object.
 */
export async function storeImage(
  ctx: MediaContext,
  { image, content }: ReceivedImage,
  once: IdempotencyScope,
): Promise<Result<MediaRow>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) await scheduler.wait(RETRY_WAIT_MS);
    const stored = await storeOnce(ctx, { image, content }, once);
    if (stored) return stored;
  }
  return fail('conflict', { message: 'The same image is being deleted; try again.', retryAfter: 1 });
}

/** Stores an image, or finds it stored. Returns null if the same image is deleted meanwhile. */
async function storeOnce(
  ctx: MediaContext,
  { image, content }: ReceivedImage,
  once: IdempotencyScope,
): Promise<Result<MediaRow> | null> {
  const { hash } = image;
  const known = await loadByHash(ctx, hash);
  if (known?.state === 'stored') return (await settle(ctx, { claim: known, hash }, once)) ? ok(known) : null;
  const claim = await claimWithinQuota(ctx, image);
  if (claim === null || 'failure' in claim) return claim;
  if (!(await putObject(ctx, ctx.slug, { image, content }))) return fail('unavailable');
  if (!(await settle(ctx, { claim, hash }, once))) return null;
  const stored = await loadMedia(ctx, claim.id);
  return stored && ok(stored);
}

async function claimWithinQuota(ctx: TenantContext, image: NewMedia): Promise<Claim | Failed | null> {
  try {
    return await claimUpload(ctx, image);
  } catch (error) {
    if (!isOverQuota(error)) throw error;
    return quotaExceeded(ctx, (await quotaLeft(ctx, 'media')) >= 1 ? 'media_bytes' : 'media');
  }
}

/** Records the image as stored. Returns false if it was deleted since the claim. */
async function settle(
  ctx: TenantContext,
  { claim, hash }: { readonly claim: Claim; readonly hash: string },
  once: IdempotencyScope,
): Promise<boolean> {
  try {
    await batch(ctx.db, [...settleStatements(ctx, claim), ...once.mark(claim.id)]);
    return true;
  } catch (error) {
    if (!guardFailed(error)) throw error;
    const row = await loadByHash(ctx, hash);
    const holds = row?.generation === claim.generation && (row.state === 'storing' || row.state === 'stored');
    // Then another run with the same Idempotency-Key has aborted the batch.
    if (holds) throw error;
    return false;
  }
}

/** Writes the object block by block; R2 must know its length, and compares the hash. Returns false if R2 fails. */
export async function putObject(
  { env, tenantId }: TenantContext,
  slug: string,
  { image: { hash, contentType, width, bytes }, content }: ReceivedImage,
): Promise<boolean> {
  const { readable, writable } = new FixedLengthStream(bytes);
  const put = env.MEDIA.put(objectKey(slug, hash), readable, {
    sha256: hash,
    httpMetadata: { contentType },
    customMetadata: { width: String(width) },
  });
  const write = async () => {
    const writer = writable.getWriter();
    for (const block of content.blocks()) await writer.write(block);
    await writer.close();
  };
  try {
    await Promise.all([put, write()]);
    return true;
  } catch (error) {
    log('media_not_stored', { tenant: tenantId, name: errorName(error) });
    return false;
  }
}
