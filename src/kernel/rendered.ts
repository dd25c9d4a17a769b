/** A body as it was rendered at one catalogue version; never changed afterwards. */
export interface Rendered {
  readonly version: number;
  /** A strong entity tag (RFC 9110, 8.8.3) of the body. */
  readonly etag: string;
  readonly body: string;
}

/** Whether `If-None-Match` names this entity tag (RFC 9110, 13.1.2: weak comparison, or "*"). */
export const matches = (header: string | null | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false;

/** The headers of a rendered answer. */
export const renderedHeaders = ({ etag, version }: Rendered) => ({
  ETag: etag,
  'X-Catalog-Version': String(version),
  'Cache-Control': 'private, no-cache',
});
