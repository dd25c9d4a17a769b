import type { Context } from 'hono';
import { etagMatches } from '../../kernel/cache/cached-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { byteRange } from './byte-range.ts';

/**
 * Headers of every public image. Nothing in the file runs, whatever it holds besides an image: its type is fixed,
 * and the policy forbids everything.
 */
const IMAGE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Accept-Ranges': 'bytes',
} as const;

/** An object in R2, and what it is served with. */
export interface ObjectName {
  readonly key: string;
  readonly etag: string;
  /** Whether it stands in for a copy that may be there a little later, so that it is kept for minutes only. */
  readonly standsIn?: boolean;
}

/** A name never gets another content, so it is kept for a year. */
const KEPT = 'public, max-age=31536000, immutable';
const KEPT_BRIEFLY = 'public, max-age=300';

/** Returns the response headers of an image. */
export const imageHeaders = (
  c: Context<App>,
  { etag, standsIn }: Omit<ObjectName, 'key'>,
  contentType: string,
) => ({
  'X-Request-Id': c.get('requestId'),
  ...IMAGE_HEADERS,
  'Cache-Control': standsIn ? KEPT_BRIEFLY : KEPT,
  ETag: etag,
  'Content-Type': contentType,
});

/**
 * Serves an object: whole, in part (`Range`, `If-Range`), its headers (HEAD), or 304. Returns `null` if there is
 * none, and the object itself if it marks a copy that can't be made. One call to R2, two for a part.
 */
export async function serveObject(c: Context<App>, name: ObjectName): Promise<Response | R2Object | null> {
  const { key, etag } = name;
  const { headOnly, isKnown, range } = askedOf(c, etag);
  if (headOnly || isKnown || range) {
    const object = await c.env.MEDIA.head(key);
    if (!object || isMarker(object)) return object;
    const headers = imageHeaders(c, name, typeOf(object));
    if (isKnown) return new Response(null, { status: 304, headers });
    if (range) return servePart(c, object, { range, headers });
    return new Response(null, { headers: { ...headers, 'Content-Length': String(object.size) } });
  }
  const object = await c.env.MEDIA.get(key);
  if (!object) return null;
  if (isMarker(object)) {
    await object.body.cancel();
    return object;
  }
  return whole(object, imageHeaders(c, name, typeOf(object)));
}

/** Serves an object that was fetched already, if all of it is asked for; else as {@link serveObject} does. */
export async function serveLoaded(
  c: Context<App>,
  name: ObjectName,
  object: R2ObjectBody,
): Promise<Response | null> {
  const { headOnly, isKnown, range } = askedOf(c, name.etag);
  if (!headOnly && !isKnown && !range) return whole(object, imageHeaders(c, name, typeOf(object)));
  await object.body.cancel();
  const served = await serveObject(c, name);
  return served instanceof Response ? served : null;
}

/** Returns what a request asks of an object with this entity tag: its headers, a 304, a part. */
function askedOf(c: Context<App>, etag: string) {
  const headOnly = c.req.method === 'HEAD';
  const ifRange = c.req.header('if-range') ?? etag;
  return {
    headOnly,
    isKnown: etagMatches(c.req.header('if-none-match'), etag),
    range: !headOnly && ifRange === etag ? c.req.header('range') : undefined,
  };
}

const whole = ({ body, size }: R2ObjectBody, headers: Readonly<Record<string, string>>): Response =>
  new Response(body, { headers: { ...headers, 'Content-Length': String(size) } });

async function servePart(
  c: Context<App>,
  { key, size }: R2Object,
  asked: { readonly range: string; readonly headers: Readonly<Record<string, string>> },
): Promise<Response | null> {
  const { headers } = asked;
  const range = byteRange(asked.range, size);
  if (range === 'unsatisfiable') {
    // Not the image, so nothing to keep.
    const fields = { ...headers, 'Cache-Control': 'no-store', 'Content-Range': `bytes */${size}` };
    return new Response(null, { status: 416, headers: fields });
  }
  const object = await c.env.MEDIA.get(key, range ? { range } : {});
  if (!object) return null;
  if (!range) return whole(object, headers);
  const last = range.offset + range.length - 1;
  return new Response(object.body, {
    status: 206,
    headers: {
      ...headers,
      'Content-Length': String(range.length),
      'Content-Range': `bytes ${range.offset}-${last}/${size}`,
    },
  });
}

const typeOf = ({ httpMetadata }: R2Object): string =>
  httpMetadata?.contentType ?? 'application/octet-stream';

/** Returns whether an object stands for a copy that could not be made. */
const isMarker = ({ customMetadata }: R2Object): boolean => customMetadata?.failed === 'true';
