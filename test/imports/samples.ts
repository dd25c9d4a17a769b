import type { Samples } from '../support/contract/sample.ts';
import { upload } from '../support/fixtures/catalog/imports.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';

const FILE = 'Handle,Title,Price\nmug,Mug,12\n';

export const samples: Samples = {
  'POST /v1/imports/products': { body: FILE },
  'GET /v1/exports/products': {
    params: async (shop) => {
      await stockedProduct(shop, {});
      return {};
    },
  },
  'GET /v1/imports': {},
  'GET /v1/imports/{id}/errors': {
    params: async (shop) => ({ id: await upload(shop, FILE) }),
    foreign: 'import_not_found',
  },
  'POST /v1/imports/{id}/cancel': {
    params: async (shop) => ({ id: await upload(shop, FILE) }),
    foreign: 'import_not_found',
  },
  'GET /v1/imports/{id}': {
    params: async (shop) => ({ id: await upload(shop, FILE) }),
    foreign: 'import_not_found',
  },
};
