import { UPLOAD_DEADLINE_MS } from '../kernel/http/body.ts';
import { MAX_IMAGE_BYTES, Media } from '../media/index.ts';
import type { Answer, PageRequest } from '../web/index.ts';

/** Limits of a form with one picture: the file, plus 512 KiB for the other fields. */
export const PICTURE_LIMITS = { maxBytes: MAX_IMAGE_BYTES + 512 * 1024, deadlineMs: UPLOAD_DEADLINE_MS };

/** The types of pictures that a file field accepts. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

/** Uploads a picture and returns it. The same file again is the same picture. */
export const uploadPicture = (request: PageRequest, file: File): Promise<Answer<Media>> =>
  request.api({
    ...{ method: 'POST', path: '/v1/media' },
    ...{ file, mediaType: file.type || 'application/octet-stream', answer: Media },
  });

/** Returns a small copy's URL for an uploaded picture, and any other URL as it is. */
export const smallPicture = (url: string, width: 160 | 320 = 160): string =>
  /\/media\/[a-z0-9-]+\/[0-9a-f]{64}$/.test(url) ? `${url}?w=${width}` : url;
