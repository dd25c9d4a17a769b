import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { OrderParams } from '../../orders/index.ts';
import { customerExamples } from '../examples.ts';
import { eraseGuest } from './erase-guest.ts';

const eraseBuyer = endpoint(
  {
    method: 'delete',
    path: '/v1/orders/{id}/personal-data',
    id: 'eraseOrderBuyer',
    tag: 'Orders',
    summary: "Erase the buyer of a guest's order",
    description:
      "For a request of erasure by somebody without an account (GDPR, art. 17); `GET /v1/orders?email=` finds their orders. Removes name, contact data, addresses except their countries, notes, tags, metadata and the buyer's own data in `options` from the order, its events, its checkout and its cart; items and amounts stay. Goods that are not sent yet have no address then. An order of a customer is 409 `conflict`: `DELETE /v1/customers/{id}`. Responds with 503 when not all data could be reached; retry the request.",
    access: 'customers:admin',
    params: OrderParams,
    status: 204,
    errors: ['order_not_found', 'conflict', 'unavailable'],
    example: customerExamples.eraseBuyer,
  },
  (call) => eraseGuest(call, call.params.id),
);

/** The endpoint with which a tenant's servers erase who bought without an account. */
export const guestOrderEndpoints: readonly Endpoint[] = [eraseBuyer];
