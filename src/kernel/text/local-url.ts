import { fail, ok, type Result } from '../core/result.ts';
import { MAX_URL_LENGTH, NOT_HTTPS, TOO_LONG, urlOf } from './uri.ts';

/**
 * Schema of a stored URL that is https, or http where it is a local one, normalized as {@link urlOf} does. An endpoint
 * that takes it also calls {@link refuseLocalUrls}, as only there the environment is known.
 */
export const localOrHttpsUrl = (isLocal: (url: string) => boolean) =>
  urlOf(/^https?$/)
    .refine((url) => url.startsWith('https:') || isLocal(url), NOT_HTTPS)
    .max(MAX_URL_LENGTH, TOO_LONG);

/** A field of a request, and the URL in it. */
export type UrlField = readonly [field: string, url: string | null | undefined];

/** Returns 422 for http URLs of a service on this machine, unless `DEV_ALLOW_LOCAL_URLS` is "true". */
export function refuseLocalUrls(
  { DEV_ALLOW_LOCAL_URLS }: Pick<Env, 'DEV_ALLOW_LOCAL_URLS'>,
  fields: readonly UrlField[],
): Result<void> {
  if (DEV_ALLOW_LOCAL_URLS === 'true') return ok(undefined);
  const local = fields.filter(([, url]) => url?.startsWith('http:'));
  const errors = Object.fromEntries(local.map(([field]) => [field, [NOT_HTTPS]]));
  return local.length > 0 ? fail('validation_error', { errors }) : ok(undefined);
}
