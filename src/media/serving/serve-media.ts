import { type Context, Hono } from 'hono';
import { isRecent } from '../../kernel/core/clock.ts';
import type { App } from '../../kernel/http/context.ts';
import { problem, readOnly } from '../../kernel/http/problem.ts';
import { objectKey, WIDTHS, type Width } from '../object-keys.ts';
import {
  COPY_TYPE,
  type CopyName,
  copyUnderWay,
  type ImageName,
  makeCopy,
  RETRY_AFTER_MS,
} from './resize.ts';
import { imageHeaders, type ObjectName, serveLoaded, serveObject } from './serve-object.ts';

const SLUG = /^[a-z0-9-]{1,64}$/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * The public images, `GET /media/{tenant}/{hash}`, and their copies, `?w=`. No token, no database: R2 alone
 * decides what there is. A stranger can cause at most {@link WIDTHS} copies of each existing image.
 */
export const mediaFiles = new Hono<App>();

mediaFiles
  .get('/media/:tenant/:hash', async (c) => {
    const { tenant: slug, hash } = c.req.param();
    if (!SLUG.test(slug) || !HASH.test(hash)) return problem(c, { code: 'not_found' });
    const width = widthOf(c.req.queries());
    if (typeof width === 'object') return problem(c, { code: 'validation_error', errors: width });
    const name = { slug, hash };
    const served = await (width === undefined ? serveOriginal(c, name) : serveCopy(c, { ...name, width }));
    return served ?? problem(c, { code: 'not_found' });
  })
  .all(readOnly);

/** Returns the width that is asked for, none, or the errors of the query. */
function widthOf(
  query: Readonly<Record<string, string[]>>,
): Width | undefined | Readonly<Record<string, string[]>> {
  const { w, ...others } = query;
  const unknown = Object.keys(others).map((name) => [name, ['is not a known parameter']] as const);
  const width = WIDTHS.find((one) => w?.length === 1 && w[0] === String(one));
  const wrong = w && !width ? [['w', [`must be one of ${WIDTHS.join(', ')}`]] as const] : [];
  return unknown.length + wrong.length > 0 ? Object.fromEntries([...unknown, ...wrong]) : width;
}

const originalOf = ({ slug, hash }: ImageName): ObjectName => ({
  key: objectKey(slug, hash),
  etag: `"${hash}"`,
});

/** Serves the original; with `standsIn` in place of a copy that can't be made right now. */
async function serveOriginal(c: Context<App>, name: ImageName, standsIn = false): Promise<Response | null> {
  const served = await serveObject(c, { ...originalOf(name), standsIn });
  return served instanceof Response ? served : null;
}

/** Serves a copy, made now if there is none yet, or the original. Returns `null` if there is no such image. */
async function serveCopy(c: Context<App>, name: CopyName): Promise<Response | null> {
  const { slug, hash, width } = name;
  const etag = `"${hash}-${width}"`;
  const served = await serveObject(c, { key: objectKey(slug, hash, width), etag });
  if (served instanceof Response) return served;
  if (!c.env.IMAGES || failedLately(served)) return serveOriginal(c, name, true);
  const respondCopy = (copy: ArrayBuffer) => {
    const headers = { ...imageHeaders(c, { etag }, COPY_TYPE), 'Content-Length': String(copy.byteLength) };
    return new Response(c.req.method === 'HEAD' ? null : copy, { headers });
  };
  const shared = await copyUnderWay(name);
  if (shared) return respondCopy(shared);
  const original = await c.env.MEDIA.get(objectKey(slug, hash));
  if (!original) return null;
  if (Number(original.customMetadata?.width) <= width) return serveLoaded(c, originalOf(name), original);
  const copy = await makeCopy({ env: c.env, ctx: c.executionCtx }, name, original);
  return copy ? respondCopy(copy) : serveOriginal(c, name, true);
}

const failedLately = (marker: R2Object | null): boolean =>
  isRecent(Number(marker?.customMetadata?.at ?? 0), RETRY_AFTER_MS);
