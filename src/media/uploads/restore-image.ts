import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { Upload } from '../../kernel/input/body.ts';
import { receiveImage } from './receive-image.ts';
import { putObject } from './store-image.ts';

/** An image of an import: where it belongs, what it should be, and its bytes. */
interface RestoredImage {
  readonly slug: string;
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly mediaType: string;
  readonly upload: Upload;
}

/**
 * Stores the bytes of an image whose row an import writes. `invalid_image` if they have another hash; else fails as
 * an upload does.
 */
export async function restoreImage(
  ctx: TenantContext,
  { slug, hash, mediaType, upload }: RestoredImage,
): Promise<Result<void>> {
  const { tenantId } = ctx;
  const received = await receiveImage({ upload, declared: mediaType, tenantId });
  if (!received.ok) return received;
  const { image, content } = received.value;
  try {
    if (image.hash !== hash) return fail('invalid_image', { details: { reason: 'other_hash' } });
    return (await putObject(ctx, slug, { image, content })) ? ok(undefined) : fail('unavailable');
  } finally {
    content.release();
  }
}
