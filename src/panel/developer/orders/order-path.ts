import { Order } from '../../../orders/index.ts';
import type { PageRequest } from '../../../web/index.ts';
import { root } from './list/order-filters.tsx';

/** Returns the API's path of the order that a page is about. */
export const orderPath = (request: PageRequest): string =>
  `/v1/orders/${encodeURIComponent(request.param('id'))}`;

/** Loads the order that a page is about. */
export const loadOrder = (request: PageRequest) => request.api({ path: orderPath(request), answer: Order });

/** Returns the breadcrumbs of a page about an order. */
export const orderTrail = ({ id, number }: Pick<Order, 'id' | 'number'>) =>
  [
    [root, 'Orders'],
    [`${root}/${id}`, `Order ${number}`],
  ] as const;
