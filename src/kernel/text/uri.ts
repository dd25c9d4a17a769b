import { z } from '@hono/zod-openapi';

/** The parts of a URL (RFC 3986, appendix B): scheme and authority, path, query, fragment. */
const PARTS = /^([^/]*\/\/[^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/;
/** Characters not allowed in a path, query or fragment (RFC 3986, 3.3 to 3.5), including a stray "%". */
const RAW = /%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;

const encode = (part: string): string => part.replace(RAW, encodeURIComponent);

/**
 * Normalizes a URL to the form that is stored and shown. Parses it as fetch does (WHATWG URL), then
 * percent-encodes the characters that RFC 3986 doesn't allow, such as `[` and `|`. Throws on an invalid URL.
 */
export function asUri(text: string): string {
  const { href } = new URL(text);
  const [, base = '', path = '', query = '', fragment = ''] = PARTS.exec(href) ?? [];
  const host = base.replace(/%(?![0-9a-f]{2})/gi, '%25');
  const [search, hash] = [query, fragment].map((part) => part.slice(0, 1) + encode(part.slice(1)));
  return `${host}${encode(path)}${search}${hash}`;
}

/** The longest stored URL in characters. */
export const MAX_URL_LENGTH = 2_048;
/** The validation message for a URL with another scheme than https. */
export const NOT_HTTPS = 'must be an https URL';
/** The validation message for a longer URL: that of {@link urlOf} would say that it is not https. */
export const TOO_LONG = `must have at most ${MAX_URL_LENGTH} characters`;

/** Schema of a URL with a scheme that matches, normalized by {@link asUri}. */
export const urlOf = (scheme: RegExp) =>
  z
    .url({ protocol: scheme, hostname: /^(?:[\w.~-]+|\[.+\])$/, message: NOT_HTTPS, abort: true })
    .overwrite(asUri);

/** Schema of a stored https URL: normalized by {@link asUri}, at most {@link MAX_URL_LENGTH} characters. */
export const httpsUrl = urlOf(/^https$/)
  .max(MAX_URL_LENGTH, TOO_LONG)
  .openapi({ description: 'Stored as an RFC 3986 URI: other characters are percent-encoded.' });
