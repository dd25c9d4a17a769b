import { sha256 } from '../crypto/crypto.ts';

/** An immutable response body, rendered at one catalogue version. */
export interface CachedBody {
  readonly version: number;
  /** A strong entity tag (RFC 9110, 8.8.3) of the body. */
  readonly etag: string;
  readonly body: string;
}

/** Returns the strong entity tag of a body, prefixed with the resource's `revision` if it has one. */
export const entityTag = (body: string, revision?: number): string =>
  `"${revision === undefined ? '' : `${revision}-`}${sha256(body).slice(0, 27)}"`;

/**
 * Returns the entity tags of an `If-Match`. A weak one counts as the strong one that it was made from: the network
 * marks the tags of responses that it compresses, and clients send what they received.
 */
export const matchedTags = (header: string): string[] =>
  header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));

/**
 * Returns whether `If-Match` (RFC 9110, 13.1.1, or "*") allows a write to a resource with
 * the current entity tag or revision. With a revision any tag of it matches, even if other parts of the body,
 * such as stock, have changed.
 */
export function ifMatch(header: string | undefined, current: string | number): boolean {
  if (header === undefined) return true;
  const tags = matchedTags(header);
  if (typeof current === 'string') return tags.some((tag) => tag === '*' || tag === current);
  const ofRevision = new RegExp(`^"${current}-[^"]+"$`);
  return tags.some((tag) => tag === '*' || ofRevision.test(tag));
}

/** Returns whether `If-None-Match` names this entity tag (RFC 9110, 13.1.2: weak comparison, or "*"). */
export const etagMatches = (header: string | null | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false;

/** Returns the response headers of a cached body. */
export const cachedBodyHeaders = ({ etag, version }: CachedBody) => ({
  ETag: etag,
  'X-Catalog-Version': String(version),
  'Cache-Control': 'private, no-cache',
});
