import type { ReceivedBytes } from '../uploads/received-bytes.ts';

/** Why a file is refused although it begins as an image does. */
export type ImageFault = 'truncated' | 'damaged' | 'trailing_data' | 'too_many_pixels';

/** The size of an image in pixels, as it is displayed. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Measures a file that begins with the format's signature: walks its structure from end to end, without
 * decoding pixels. Time and memory are linear in the file's size at worst.
 */
export type Measure = (bytes: ReceivedBytes) => ImageSize | ImageFault;
