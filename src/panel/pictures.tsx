import { z } from 'zod';
import { UPLOAD_DEADLINE_MS } from '../kernel/input/body.ts';
import { MAX_IMAGE_BYTES, Media, mediaHashOf } from '../media/index.ts';
import type { Answer, PageRequest } from '../web/index.ts';

/** Limits of a form with one picture: the file, plus 512 KiB for the other fields. */
export const PICTURE_LIMITS = { maxBytes: MAX_IMAGE_BYTES + 512 * 1024, deadlineMs: UPLOAD_DEADLINE_MS };

/** Largest size of all pictures that one form uploads, in bytes. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;

/** Limits of a form with several pictures: the files, plus 128 KiB for the other fields. */
export const PICTURES_LIMITS = { maxBytes: MAX_UPLOAD_BYTES + 128 * 1024, deadlineMs: UPLOAD_DEADLINE_MS };

/** The types of pictures that a file field accepts. */
export const PICTURE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

/** What a file field for one picture takes, in words. */
export const PICTURE_HINT = `JPEG, PNG, WebP, AVIF or GIF, up to ${MAX_IMAGE_BYTES / 1024 / 1024} MiB`;

/** What a file field for several pictures takes, in words. */
export const PICTURES_HINT = `${PICTURE_HINT} each and ${MAX_UPLOAD_BYTES / 1024 / 1024} MiB at once`;

/** The files of a field, none if it is empty: browsers then send a file without a name. */
export const pictureFiles = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()),
  z
    .array(z.unknown())
    .transform((all) => all.filter((one): one is File => one instanceof File && one.size > 0)),
);

/** Uploads a picture and returns it. The same file again is the same picture. Its error is one of the field `picture`. */
export async function uploadPicture(request: PageRequest, file: File): Promise<Answer<Media>> {
  const uploaded = await request.api({
    method: 'POST',
    path: '/v1/media',
    file,
    mediaType: file.type || 'application/octet-stream',
    answer: Media,
  });
  if (uploaded.ok) return uploaded;
  const { formError } = uploaded;
  return { ok: false, formError: { ...formError, errors: { picture: [formError.message] } } };
}

/** The pictures that were stored, and the reason for each file that wasn't. */
export interface Uploaded {
  readonly urls: readonly string[];
  readonly errors: readonly string[];
}

/** Uploads pictures one after the other, so that only one is in memory beside the form. */
export async function uploadPictures(request: PageRequest, files: readonly File[]): Promise<Uploaded> {
  const [urls, errors]: [string[], string[]] = [[], []];
  for (const file of files) {
    const stored = await uploadPicture(request, file);
    if (stored.ok) urls.push(stored.value.url);
    else errors.push(`${file.name.slice(0, 60)}: ${stored.formError.message}`);
  }
  return { urls, errors };
}

/** Returns the URL of a small copy of an uploaded picture, `width` pixels wide at most; any other URL as it is. */
export const smallPicture = (url: string, width: 160 | 320 = 160): string =>
  mediaHashOf(url) ? `${url.replace(/[?#].*$/, '')}?w=${width}` : url;

/** A small square picture, 40 pixels wide unless `size` says otherwise. */
export const Thumbnail = ({ url, alt = '', size = 40 }: { url: string; alt?: string; size?: 40 | 80 }) => (
  <img
    class={size === 80 ? 'thumb large' : 'thumb'}
    src={smallPicture(url)}
    alt={alt}
    width={size}
    height={size}
    loading="lazy"
    decoding="async"
  />
);
