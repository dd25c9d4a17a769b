import { z } from '@hono/zod-openapi';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { text } from '../../kernel/text/text.ts';
import { asUri } from '../../kernel/text/uri.ts';
import { mediaHashOf } from '../../media/index.ts';
import { MAX_ALT_LENGTH } from '../limits.ts';

const NOT_HTTPS = 'must be an https URL';
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/media\//;

/** Returns whether a URL is that of an uploaded image of a service on the developer's own machine. */
const isLocalMedia = (url: string): boolean => LOOPBACK.test(url) && mediaHashOf(url) !== null;

/** Schema of an image's URL: https, or an uploaded image of a service that runs on this machine. */
export const imageUrl = z
  .url({
    protocol: /^https?$/,
    hostname: /^(?:[\w.~-]+|\[.+\])$/,
    message: NOT_HTTPS,
    abort: true,
  })
  .overwrite(asUri)
  .refine((url) => url.startsWith('https:') || isLocalMedia(url), NOT_HTTPS)
  .max(2_048)
  .openapi({
    description: 'The `url` of an uploaded image, or any https URL. Stored as an RFC 3986 URI.',
  });

/** Schema of an image in a request: its URL, or URL and alternative text. */
export const ImageInput = z
  .union([imageUrl, z.strictObject({ url: imageUrl, alt: text(MAX_ALT_LENGTH).nullable().optional() })], {
    error: `must be an https URL, or an object of such a "url" and an "alt" of 1 to ${MAX_ALT_LENGTH} characters or null`,
  })
  .openapi({
    description:
      'A URL, or `{url, alt}` with an alternative text. Where `alt` is left out, the image keeps the text that it had; null removes it.',
  });
export type ImageInput = z.infer<typeof ImageInput>;

/** The fields of a product in a request that have images. */
interface ImageFields {
  readonly images?: readonly ImageInput[] | undefined;
  readonly variants?: readonly { readonly image?: string | null | undefined }[] | undefined;
}

/** Returns 422 for images of a service on this machine, unless `DEV_ALLOW_LOCAL_URLS` says so. */
export function refuseLocalImages(
  { DEV_ALLOW_LOCAL_URLS }: Pick<Env, 'DEV_ALLOW_LOCAL_URLS'>,
  { images = [], variants = [] }: ImageFields,
): Result<void> {
  if (DEV_ALLOW_LOCAL_URLS === 'true') return ok(undefined);
  const urls = [
    ...images.map((image, n) => [`images.${n}`, typeof image === 'string' ? image : image.url] as const),
    ...variants.map(({ image }, n) => [`variants.${n}.image`, image] as const),
  ];
  const local = urls.filter(([, url]) => url?.startsWith('http:'));
  const errors = Object.fromEntries(local.map(([field]) => [field, [NOT_HTTPS]]));
  return local.length > 0 ? fail('validation_error', { errors }) : ok(undefined);
}

/** The images of a product: distinct URLs in order, and the alternative texts of some, by URL. */
export interface ImageList {
  readonly images: readonly string[];
  readonly imageAlts: Readonly<Record<string, string>>;
}

/** Returns the images that result from `input`; `before` if it is omitted. */
export function imageList(before: ImageList, input: readonly ImageInput[] | undefined): ImageList {
  if (input === undefined) return { images: before.images, imageAlts: before.imageAlts };
  const alts = new Map<string, string | null>();
  for (const image of input) {
    const { url, alt } = typeof image === 'string' ? { url: image, alt: undefined } : image;
    const known = alts.get(url) ?? before.imageAlts[url] ?? null;
    alts.set(url, alt === undefined ? known : alt);
  }
  const described = [...alts].flatMap(([url, alt]) => (alt === null ? [] : [[url, alt] as const]));
  return { images: [...alts.keys()], imageAlts: Object.fromEntries(described) };
}

/** Schema of an image in a response, in the order of `images`. */
export const ShownImage = z
  .object({
    url: z.url(),
    alt: z.string().nullable().openapi({ description: 'The alternative text; null: none is known.' }),
    width: z.int().nullable().openapi({ description: 'Pixels; null unless the image was uploaded here.' }),
    height: z.int().nullable(),
  })
  .openapi('ShownImage');
export type ShownImage = z.infer<typeof ShownImage>;

/** Returns images with their alternative texts, and with their sizes (width and height by hash) if uploaded. */
export const presentImages = (
  { images, imageAlts }: ImageList,
  sizes: Readonly<Record<string, readonly [number, number]>>,
): ShownImage[] =>
  images.map((url) => {
    const [width, height] = sizes[mediaHashOf(url) ?? ''] ?? [null, null];
    return { url, alt: imageAlts[url] ?? null, width, height };
  });
