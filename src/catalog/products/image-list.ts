import { z } from '@hono/zod-openapi';
import type { UrlField } from '../../kernel/text/local-url.ts';
import { text } from '../../kernel/text/text.ts';
import { imageUrl, mediaHashOf } from '../../media/index.ts';
import { MAX_ALT_LENGTH } from '../limits.ts';

const altInput = text(MAX_ALT_LENGTH).nullable().optional();

/** Schema of an image in a request: its URL, or URL and alternative text. */
export const ImageInput = z
  .union([imageUrl, z.strictObject({ url: imageUrl, alt: altInput })], {
    error: `must be an https URL, or an object of such a "url" and an "alt" of 1 to ${MAX_ALT_LENGTH} characters or null`,
  })
  .openapi({
    description:
      'A URL, or `{url, alt}` with an alternative text. Where `alt` is left out, the image keeps the text that it had; null removes it.',
  });
export type ImageInput = z.infer<typeof ImageInput>;

const sizeInput = z.int().nullable().optional().openapi({ readOnly: true });

/** Schema of an image in a request as responses have it; its size is ignored. */
export const MediaInput = z.strictObject({
  url: imageUrl,
  alt: altInput,
  width: sizeInput,
  height: sizeInput,
});

/** The images of a product in a request. */
interface ImagesInput {
  readonly images?: readonly ImageInput[] | undefined;
  readonly media?: readonly z.infer<typeof MediaInput>[] | undefined;
}

/** The fields of a product in a request that have images. */
interface ImageFields extends ImagesInput {
  readonly variants?: readonly { readonly image?: string | null | undefined }[] | undefined;
}

const urlAndAlt = (image: ImageInput) => (typeof image === 'string' ? { url: image, alt: undefined } : image);

/**
 * Returns the images that a request names: those of `images`, else of `media`; undefined if it has neither. Where an
 * image of `images` leaves out its text, it has the one of `media`.
 */
export function imagesOf({ images, media }: ImagesInput): ImageInput[] | undefined {
  const texts = new Map(media?.map(({ url, alt }) => [url, alt]));
  return (images ?? media)?.map((image) => {
    const { url, alt } = urlAndAlt(image);
    return { url, alt: alt === undefined ? texts.get(url) : alt };
  });
}

/** Returns the image URLs of a product in a request, each with its field. */
export const imageFieldsOf = ({ images = [], media = [], variants = [] }: ImageFields): UrlField[] => [
  ...images.map((image, n): UrlField => [`images.${n}`, urlAndAlt(image).url]),
  ...media.map(({ url }, n): UrlField => [`media.${n}.url`, url]),
  ...variants.map(({ image }, n): UrlField => [`variants.${n}.image`, image]),
];

/** The images of a product: distinct URLs in order, and the alternative texts of some, by URL. */
interface ImageList {
  readonly images: readonly string[];
  readonly imageAlts: Readonly<Record<string, string>>;
}

/** Returns the images that result from `input`; `before` if it is omitted. */
export function imageList(before: ImageList, input: readonly ImageInput[] | undefined): ImageList {
  if (input === undefined) return { images: before.images, imageAlts: before.imageAlts };
  const alts = new Map<string, string | null>();
  for (const image of input) {
    const { url, alt } = urlAndAlt(image);
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
