import { toItsEnd } from '../kernel/async/to-its-end.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { tenantContext } from '../kernel/data/tenant-context.ts';
import type { Call } from '../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { mediaTypeOf } from '../kernel/input/body.ts';
import { deleteMedia } from './delete-media.ts';
import { mediaExamples } from './examples.ts';
import type { MediaPlace } from './object-keys.ts';
import { presentMedia, presentUpload } from './present.ts';
import { MAX_IMAGE_BYTES, Media, MediaList, MediaListQuery, MediaParams, mediaPages } from './schemas.ts';
import { type DescribedProducts, searchMedia } from './search.ts';
import { listMedia, loadMedia, type ShownBy, slugOf } from './store.ts';
import { IMAGE_TYPES, MAX_PIXELS, MAX_SIDE_PX } from './uploads/detect-image.ts';
import { receiveImage } from './uploads/receive-image.ts';
import { storeImage } from './uploads/store-image.ts';

const tag = 'Media';

const placeOf = async ({ c, env, tenantId }: Call): Promise<MediaPlace> => ({
  origin: new URL(c.req.url).origin,
  slug: await slugOf(env, tenantId),
});

/** Receives an upload and stores it. */
async function receiveAndStore(call: Call): Promise<Result<Media>> {
  const { c, upload, once, tenantId } = call;
  const declared = mediaTypeOf(c.req.raw.headers);
  const received = await receiveImage({ upload, declared, tenantId });
  if (!received.ok) return received;
  try {
    const place = await placeOf(call);
    const ctx = { ...tenantContext(call, tenantId), slug: place.slug };
    const stored = await storeImage(ctx, received.value, once);
    return stored.ok ? ok(presentUpload(stored.value, place)) : stored;
  } finally {
    received.value.content.release();
  }
}

const create = endpoint(
  {
    method: 'post',
    path: '/v1/media',
    tag,
    summary: 'Upload an image',
    description: `The body is the file: JPEG, PNG, WebP, AVIF or GIF, at most 20 MiB, ${MAX_PIXELS / 1e6} megapixels and
${MAX_SIDE_PX} pixels a side. \`Content-Type\` names its type. The file is judged by its bytes: another type is 415
(\`details.detected\`), a file that is not a complete image or has data after its end is 422 \`invalid_image\`
(\`details.reason\`). SVG is not accepted. The same bytes again return the same image. The original is served byte
for byte, with the metadata in it.`,
    access: 'catalog:write',
    changesCatalog: false,
    stream: { mediaTypes: IMAGE_TYPES, maxBytes: MAX_IMAGE_BYTES },
    status: 201,
    answer: Media,
    example: mediaExamples.create,
    errors: ['invalid_image', 'quota_exceeded', 'conflict', 'media_not_found'],
  },
  async (call) => {
    const { once } = call;
    if (once.ref !== null) {
      const row = await loadMedia(call, once.ref);
      return row ? ok(presentUpload(row, await placeOf(call))) : fail('media_not_found');
    }
    return toItsEnd(call.ctx, receiveAndStore(call));
  },
);

const list = (products: DescribedProducts) =>
  endpoint(
    {
      method: 'get',
      path: '/v1/media',
      tag,
      summary: 'List images, newest first',
      access: 'catalog:write',
      query: MediaListQuery,
      answer: MediaList,
      example: mediaExamples.list,
    },
    async (call) => {
      const { q } = call.query;
      const page = mediaPages.pageOf(call.query);
      const listed = q === undefined ? listMedia(call, page) : searchMedia(call, page, { q, products });
      const [{ rows, held = 0, ...counts }, place] = await Promise.all([listed, placeOf(call)]);
      call.c.set('heldLength', held);
      const shown = mediaPages.cut(rows, page, {
        ...counts,
        key: ({ createdAt, id }) => [createdAt, id],
      });
      return ok({ data: shown.rows.map((row) => presentMedia(row, place)), meta: shown.meta });
    },
  );

const get = endpoint(
  {
    method: 'get',
    path: '/v1/media/{id}',
    tag,
    summary: 'Get an image',
    access: 'catalog:write',
    params: MediaParams,
    answer: Media,
    example: mediaExamples.get,
    errors: ['media_not_found'],
  },
  async (call) => {
    const [row, place] = await Promise.all([loadMedia(call, call.params.id), placeOf(call)]);
    return row ? ok(presentMedia(row, place)) : fail('media_not_found');
  },
);

const remove = (shownBy: ShownBy): Endpoint =>
  endpoint(
    {
      method: 'delete',
      path: '/v1/media/{id}',
      tag,
      summary: 'Delete an image',
      description:
        'Deletes the image and its copies. `media_in_use` while products or categories (`details.product_ids` and `category_ids`, at most 10 each) or the theme (`details.theme`) show it. Caches outside may keep it for a year.',
      access: 'catalog:write',
      changesCatalog: false,
      params: MediaParams,
      status: 204,
      example: mediaExamples.remove,
      errors: ['media_not_found', 'media_in_use'],
    },
    (call) => deleteMedia(call, call.params.id, shownBy),
  );

/**
 * Uploaded images: written and listed by who writes the catalogue. `shownBy` finds the categories and the theme that keep
 * an image from being deleted, `products` what a search looks at: their modules import this one.
 */
export const mediaEndpoints = (shownBy: ShownBy, products: DescribedProducts): readonly Endpoint[] => [
  create,
  list(products),
  get,
  remove(shownBy),
];
