import { z } from '@hono/zod-openapi';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { asUri } from '../kernel/text/uri.ts';
import { mediaHashOf } from './media-uses.ts';

const NOT_HTTPS = 'must be an https URL';
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/media\//;

/** Returns whether a URL is that of an uploaded image of a service on the developer's own machine. */
const isLocalMedia = (url: string): boolean => LOOPBACK.test(url) && mediaHashOf(url) !== null;

/** Schema of an image's URL: https, or an uploaded image of a service that runs on this machine. */
export const imageUrl = z
  .url({
    protocol: /^https?$/,
    hostname: /^(?:[\w.~-]+|\[.+\])$/,
    message: NOT_HTTPS,
    abort: true,
  })
  .overwrite(asUri)
  .refine((url) => url.startsWith('https:') || isLocalMedia(url), NOT_HTTPS)
  .max(2_048)
  .openapi({
    description: 'The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.',
  });

/** A field of a request, and the URL of the image in it. */
export type ImageField = readonly [field: string, url: string | null | undefined];

/** Returns 422 for images of a service on this machine, unless `DEV_ALLOW_LOCAL_URLS` is "true". */
export function refuseLocalImages(
  { DEV_ALLOW_LOCAL_URLS }: Pick<Env, 'DEV_ALLOW_LOCAL_URLS'>,
  images: readonly ImageField[],
): Result<void> {
  if (DEV_ALLOW_LOCAL_URLS === 'true') return ok(undefined);
  const local = images.filter(([, url]) => url?.startsWith('http:'));
  const errors = Object.fromEntries(local.map(([field]) => [field, [NOT_HTTPS]]));
  return local.length > 0 ? fail('validation_error', { errors }) : ok(undefined);
}
