import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { Digest } from '../../kernel/crypto/crypto.ts';
import type { Upload } from '../../kernel/input/body.ts';
import type { NewMedia } from '../store.ts';
import { detectImage } from './detect-image.ts';
import { ReceivedBytes } from './received-bytes.ts';

/** An image on its way: its bytes, the media type that they should have, and the tenant that uploads it. */
interface IncomingImage {
  readonly upload: Upload;
  readonly declared: string;
  readonly tenantId: number;
}

/** An image that has arrived, and its bytes. The receiver must release them. */
export interface ReceivedImage {
  readonly image: NewMedia;
  readonly content: ReceivedBytes;
}

/**
 * Receives and checks an image. `unavailable` while the uploads of the isolate, or of the tenant there, hold too much
 * memory; otherwise fails as the upload and {@link detectImage} do.
 */
export async function receiveImage(incoming: IncomingImage): Promise<Result<ReceivedImage>> {
  const content = new ReceivedBytes(incoming.tenantId);
  let received: Result<ReceivedImage> | null = null;
  try {
    received = await receive(incoming, content);
    return received;
  } finally {
    if (!received?.ok) content.release();
  }
}

async function receive(
  { upload, declared }: IncomingImage,
  content: ReceivedBytes,
): Promise<Result<ReceivedImage>> {
  const digest = new Digest();
  for (;;) {
    const piece = await upload.next();
    if (!piece.ok) return piece;
    if (piece.value === null) break;
    if (!content.add(piece.value)) return fail('unavailable', { retryAfter: 5 });
    digest.add(piece.value);
  }
  const detected = detectImage(content, declared);
  if (!detected.ok) return detected;
  return ok({ image: { ...detected.value, hash: digest.end(), bytes: content.size }, content });
}
