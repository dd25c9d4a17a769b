import { isLoopback } from '../text/public-url.ts';

/** The header by which browsers request this host over https alone, for a year (RFC 6797). */
const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=31536000' };

/** Returns the headers of a page that keep browsers on https; none over http, where RFC 6797 (7.2) forbids them. */
export const transportHeaders = (requestUrl: string): Partial<typeof STRICT_TRANSPORT> =>
  new URL(requestUrl).protocol === 'https:' ? STRICT_TRANSPORT : {};

/**
 * Returns the https URL of a page that was requested over http, where what is typed can be read on the way; null over
 * https and on a developer's machine.
 */
export function secureUrlOf(
  requestUrl: string,
  { DEV_ALLOW_LOCAL_URLS }: Pick<Env, 'DEV_ALLOW_LOCAL_URLS'>,
): string | null {
  const url = new URL(requestUrl);
  const isLocal = isLoopback(url.hostname) || DEV_ALLOW_LOCAL_URLS === 'true';
  if (url.protocol === 'https:' || isLocal) return null;
  url.protocol = 'https:';
  return url.href;
}
