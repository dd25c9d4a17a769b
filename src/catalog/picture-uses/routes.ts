import { fail, ok } from '../../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { pictureUsesExample } from '../examples/picture-uses.ts';
import { readPictureUses } from './read-picture-uses.ts';
import { MAX_PICTURE_USES, PictureParams, PictureUses } from './schemas.ts';

const list = endpoint(
  {
    method: 'get',
    path: '/v1/media/{id}/products',
    id: 'listProductsOfMedia',
    tag: 'Media',
    summary: 'List the products that show an image',
    description: `At most ${MAX_PICTURE_USES}, in the order of their ids, each with the alternative text that the image has there.`,
    access: 'catalog:write',
    params: PictureParams,
    answer: PictureUses,
    errors: ['media_not_found'],
    example: pictureUsesExample,
  },
  async (call) => {
    const data = await readPictureUses(call, call.params.id);
    return data ? ok({ data }) : fail('media_not_found');
  },
);

/** The endpoint of the products that show an uploaded image. */
export const pictureUsesEndpoints: readonly Endpoint[] = [list];
