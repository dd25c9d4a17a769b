import { z } from 'zod';
import { UPLOAD_DEADLINE_MS } from '../../../kernel/http/body.ts';
import { Media } from '../../../media/index.ts';
import type { PageRequest } from '../../../web/index.ts';

/** Largest size of all pictures that one form uploads, in bytes. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;

/** Limits of a form with pictures: the files, and 128 KiB for the other fields. */
export const UPLOAD_LIMITS = { maxBytes: MAX_UPLOAD_BYTES + 128 * 1024, deadlineMs: UPLOAD_DEADLINE_MS };

export const UPLOAD_HINT = 'JPEG, PNG, WebP, AVIF or GIF, up to 20 MiB each and 32 MiB at once';

/** The attributes of a field for pictures. */
export const PICTURE_FILES = {
  accept: 'image/jpeg,image/png,image/webp,image/avif,image/gif',
  multiple: true,
};

/** The files of a field, none if it is empty: browsers then send a file without a name. */
export const pictureFiles = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()),
  z
    .array(z.unknown())
    .transform((all) => all.filter((one): one is File => one instanceof File && one.size > 0)),
);

/** The pictures that were stored, and the reason for each file that wasn't. */
export interface Uploaded {
  readonly urls: readonly string[];
  readonly errors: readonly string[];
}

/** Stores pictures one after the other, so that only one is in memory beside the form. */
export async function uploadPictures(request: PageRequest, files: readonly File[]): Promise<Uploaded> {
  const [urls, errors]: [string[], string[]] = [[], []];
  for (const file of files) {
    const stored = await request.api({
      method: 'POST',
      path: '/v1/media',
      file,
      mediaType: file.type,
      answer: Media,
    });
    if (stored.ok) urls.push(stored.value.url);
    else errors.push(`${file.name.slice(0, 60)}: ${stored.trouble.message}`);
  }
  return { urls, errors };
}
