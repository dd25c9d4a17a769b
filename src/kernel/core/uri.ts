import { z } from '@hono/zod-openapi';

/** The parts of a URL (RFC 3986, appendix B): up to its host, path, query, fragment. */
const PARTS = /^([^/]*\/\/[^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/;
/** What may not stand in a path, query or fragment (RFC 3986, 3.3 to 3.5), a "%" that encodes nothing included. */
const RAW = /%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;

const encode = (part: string): string => part.replace(RAW, encodeURIComponent);

/**
 * A URL as it is kept and shown: as fetch reads it (WHATWG URL), with percent-encoding for the characters that
 * fetch leaves as they are and a URI (RFC 3986) doesn't have, such as `[` and `|`. Throws where it is no URL.
 */
export function asUri(text: string): string {
  const { href } = new URL(text);
  const [, base = '', path = '', query = '', fragment = ''] = PARTS.exec(href) ?? [];
  const host = base.replace(/%(?![0-9a-f]{2})/gi, '%25');
  const [search, hash] = [query, fragment].map((part) => part.slice(0, 1) + encode(part.slice(1)));
  return `${host}${encode(path)}${search}${hash}`;
}

/** The field of an https URL that is kept: it comes out as {@link asUri} writes it, 2,048 characters long at most. */
export const httpsUrl = z
  .url({
    protocol: /^https$/,
    hostname: /^(?:[\w.~-]+|\[.+\])$/,
    message: 'must be an https URL',
    abort: true,
  })
  .overwrite(asUri)
  .max(2_048)
  .openapi({ description: 'Kept as a URI: other characters are percent-encoded.' });
