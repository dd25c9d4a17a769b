import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { measureAvif } from '../formats/avif.ts';
import { measureGif } from '../formats/gif.ts';
import { measureJpeg } from '../formats/jpeg.ts';
import type { ImageFault, ImageSize, Measure } from '../formats/measure.ts';
import { measurePng } from '../formats/png.ts';
import { measureWebp } from '../formats/webp.ts';
import type { ReceivedBytes } from './received-bytes.ts';

/** The media types of images that are stored. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;
/** One of {@link IMAGE_TYPES}. */
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The longest side of an image in pixels (WebP's limit), and the most pixels. */
export const MAX_SIDE_PX = 16_383;
export const MAX_PIXELS = 50_000_000;

/** An image's media type by its bytes, and its size in pixels as it is displayed. */
export interface DetectedImage extends ImageSize {
  readonly contentType: ImageType;
}

interface Format {
  readonly contentType: ImageType;
  /** Returns whether the file begins with the format's signature. */
  readonly begins: (bytes: ReceivedBytes) => boolean;
  readonly measure: Measure;
}

const FORMATS: readonly Format[] = [
  { contentType: 'image/jpeg', begins: (b) => b.uint(0, 3) === 0xffd8ff, measure: measureJpeg },
  {
    contentType: 'image/png',
    begins: (b) => b.latin1(0, 8) === '\x89PNG\r\n\x1a\n',
    measure: measurePng,
  },
  { contentType: 'image/gif', begins: (b) => /^GIF8[79]a$/.test(b.latin1(0, 6)), measure: measureGif },
  {
    contentType: 'image/webp',
    begins: (b) => b.latin1(0, 4) === 'RIFF' && b.latin1(8, 4) === 'WEBP',
    measure: measureWebp,
  },
  {
    contentType: 'image/avif',
    begins: (b) => b.latin1(4, 4) === 'ftyp' && brandsOf(b).some((brand) => /^avi[fs]$/.test(brand)),
    measure: measureAvif,
  },
];

/** Returns the major and compatible brands of a file type box (ISO/IEC 14496-12, 4.3), of the first 256 bytes. */
const brandsOf = (bytes: ReceivedBytes): string[] =>
  bytes.latin1(8, Math.min(bytes.uint(0, 4), 256) - 8).match(/.{4}/gs) ?? [];

const MESSAGES: Readonly<Record<ImageFault, string>> = {
  truncated: 'The image ends too early.',
  damaged: 'The image is damaged.',
  trailing_data: 'The file goes on behind the end of the image. Save it again as an image alone.',
  too_many_pixels: `The image has more than ${MAX_PIXELS / 1e6} megapixels or a side longer than ${MAX_SIDE_PX} pixels.`,
};

/**
 * Returns an image's type and size by its bytes. Fails with `unsupported_media_type` if they begin as none of
 * {@link IMAGE_TYPES} does or as another one than declared, and with `invalid_image` if they are not a complete image.
 */
export function detectImage(bytes: ReceivedBytes, declared: string): Result<DetectedImage> {
  const format = FORMATS.find(({ begins }) => begins(bytes));
  if (format?.contentType !== declared) {
    const message = format
      ? `The file is ${format.contentType}, and was declared as ${declared}.`
      : `The file is none of ${IMAGE_TYPES.join(', ')}.`;
    const details = { declared, detected: format?.contentType ?? null };
    return fail('unsupported_media_type', { message, details });
  }
  const size = format.measure(bytes);
  if (typeof size === 'string') return refused(size);
  const { width, height } = size;
  if (Math.max(width, height) > MAX_SIDE_PX || width * height > MAX_PIXELS) return refused('too_many_pixels');
  return ok({ contentType: format.contentType, width, height });
}

const refused = (reason: ImageFault) =>
  fail('invalid_image', { message: MESSAGES[reason], details: { reason } });
