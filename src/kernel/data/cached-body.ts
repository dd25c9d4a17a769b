import { sha256 } from '../crypto/crypto.ts';

/** A body as it was rendered at one catalogue version; never changed afterwards. */
export interface CachedBody {
  readonly version: number;
  /** A strong entity tag (RFC 9110, 8.8.3) of the body. */
  readonly etag: string;
  readonly body: string;
}

/** The strong entity tag of a body. Where `revision` counts the changes of what it shows, the tag begins with it. */
export const entityTag = (body: string, revision?: number): string =>
  `"${revision === undefined ? '' : `${revision}-`}${sha256(body).slice(0, 27)}"`;

/**
 * Whether `If-Match` allows a change (RFC 9110, 13.1.1: strong comparison, or "*") of what has this tag now, or
 * this revision: then any tag of that revision does, whatever else has moved in the body, such as stock.
 */
export function ifMatch(header: string | undefined, current: string | number): boolean {
  if (header === undefined) return true;
  const tags = header.split(',').map((tag) => tag.trim());
  if (typeof current === 'string') return tags.some((tag) => tag === '*' || tag === current);
  const ofRevision = new RegExp(`^"${current}-[^"]+"$`);
  return tags.some((tag) => tag === '*' || ofRevision.test(tag));
}

/** Whether `If-None-Match` names this entity tag (RFC 9110, 13.1.2: weak comparison, or "*"). */
export const etagMatches = (header: string | null | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false;

/** The headers of a rendered answer. */
export const cachedBodyHeaders = ({ etag, version }: CachedBody) => ({
  ETag: etag,
  'X-Catalog-Version': String(version),
  'Cache-Control': 'private, no-cache',
});
