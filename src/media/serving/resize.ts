import { shareable } from '../../kernel/async/shareable-promise.ts';
import { HOUR, isRecent, MINUTE, now } from '../../kernel/core/clock.ts';
import { errorName, log } from '../../kernel/core/log.ts';
import type { Runtime } from '../../kernel/data/tenant-context.ts';
import { objectKey, type Width } from '../object-keys.ts';

/** Media type of resized copies: every browser shows it, and its encoder drops all metadata (EXIF, GPS). */
export const COPY_TYPE = 'image/webp';
const QUALITY = 82;
/** How long a copy that could not be made is not tried again (ms). */
export const RETRY_AFTER_MS = HOUR;
/** The most copies that one isolate makes at once. Each holds its result, of at most a few MiB. */
const MAX_CONCURRENT = 12;

/** A copy that this isolate is making since a time (ms). */
interface RunningCopy {
  readonly since: number;
  readonly copy: Promise<ArrayBuffer | null>;
}

/** These copies by their R2 key. One whose request was cancelled never ends, and counts for a minute. */
const running = new Map<string, RunningCopy>();

/** The image of a tenant. */
export interface ImageName {
  readonly slug: string;
  readonly hash: string;
}

/** An image and the width of its copy. */
export interface CopyName extends ImageName {
  readonly width: Width;
}

const keyOf = ({ slug, hash, width }: CopyName): string => objectKey(slug, hash, width);

/** Returns the copy that this isolate is making, or nothing. */
export function copyUnderWay(name: CopyName): Promise<ArrayBuffer | null> | undefined {
  for (const [key, { since }] of running) if (!isRecent(since, MINUTE)) running.delete(key);
  return running.get(keyOf(name))?.copy;
}

/**
 * Makes a copy of an image, at most as wide as asked, and stores it in R2. Requests of one isolate share the
 * work. Returns `null` if there is no Images binding, if too many copies are being made, or if it fails; then
 * a marker in R2 keeps it from being tried again for {@link RETRY_AFTER_MS}.
 */
export function makeCopy(
  { env, ctx }: Runtime,
  name: CopyName,
  original: R2ObjectBody,
): Promise<ArrayBuffer | null> {
  const key = keyOf(name);
  const known = copyUnderWay(name);
  const images = env.IMAGES;
  if (known || !images || running.size >= MAX_CONCURRENT) {
    ctx.waitUntil(original.body.cancel());
    return known ?? Promise.resolve(null);
  }
  const copy = shareable(
    storeCopy(env, key, resized(images, original, name.width)).finally(() => running.delete(key)),
  );
  running.set(key, { since: now(), copy });
  // Other requests await it too, so it must outlive the one that started it.
  ctx.waitUntil(copy);
  return copy;
}

/** Stores a copy once it is made, or a marker if it could not be. Returns the copy. */
async function storeCopy(
  env: Env,
  key: string,
  copy: Promise<ArrayBuffer | null>,
): Promise<ArrayBuffer | null> {
  const bytes = await copy;
  const metadata = bytes ? {} : { failed: 'true', at: String(now()) };
  const put = env.MEDIA.put(key, bytes ?? '', {
    httpMetadata: { contentType: COPY_TYPE },
    customMetadata: metadata,
  });
  // Without it the next request makes the copy again.
  await put.catch(() => log('media_copy_not_stored', { key }));
  return bytes;
}

async function resized(
  images: ImagesBinding,
  original: R2ObjectBody,
  width: Width,
): Promise<ArrayBuffer | null> {
  try {
    const result = await images
      .input(original.body)
      .transform({ width, fit: 'scale-down' })
      .output({ format: COPY_TYPE, quality: QUALITY });
    return await new Response(result.image()).arrayBuffer();
  } catch (error) {
    log('media_copy_failed', { key: original.key, name: errorName(error) });
    return null;
  }
}
