/** The widths in pixels that an image is served in besides its own. */
export const WIDTHS = [160, 320, 640, 960, 1280, 1920] as const;
/** One of {@link WIDTHS}. */
export type Width = (typeof WIDTHS)[number];

/**
 * Returns the R2 key of an image, or of its copy of this width. It has only what the public URL names, so that
 * an image is served without a database.
 */
export const objectKey = (slug: string, hash: string, width?: Width): string =>
  width === undefined ? `${slug}/${hash}` : `${slug}/${hash}/${width}`;

/** Returns the R2 keys of an image and all its copies. */
export const objectKeys = (slug: string, hash: string): string[] => [
  objectKey(slug, hash),
  ...WIDTHS.map((width) => objectKey(slug, hash, width)),
];

/** Where an image's public URL is: the service's origin, and the tenant's slug. */
export interface MediaPlace {
  readonly origin: string;
  readonly slug: string;
}

/** Returns the path of an image's public URL. */
export const mediaPath = (slug: string, hash: string): string => `/media/${slug}/${hash}`;
