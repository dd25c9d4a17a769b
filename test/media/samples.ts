import type { Samples } from '../support/contract/sample.ts';
import type { World } from '../support/world.ts';
import { jpeg, png, uploaded } from './images.ts';

const image = async (shop: World) => ({ id: (await uploaded(shop, png(3, 2))).id });

export const samples: Samples = {
  'POST /v1/media': { body: jpeg(16, 16) },
  'GET /v1/media': {},
  'GET /v1/media/{id}': { params: image, foreign: 'media_not_found' },
  'GET /v1/media/{id}/products': { params: image, foreign: 'media_not_found' },
  'DELETE /v1/media/{id}': { params: image, foreign: 'media_not_found' },
};
