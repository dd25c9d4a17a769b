import type { PageRequest } from '../../../web/index.ts';

/** Returns the API's path of the order that a page is about. */
export const orderPath = (request: PageRequest): string =>
  `/v1/orders/${encodeURIComponent(request.param('id'))}`;
