import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { TotalsExplanation } from '../pricing/index.ts';
import { onCart, reportOn } from './client/cart-client.ts';
import { pricingHeaders, readErrors } from './declarations.ts';
import { cartExamples } from './examples.ts';
import { CartHistory } from './history-schemas.ts';
import { CartAnswer, CartParams } from './schemas.ts';

const tag = 'Cart';
const read = endpoint(
  {
    method: 'get',
    path: '/v1/cart/{cart_token}',
    tag,
    summary: 'Get a cart',
    description:
      'Reprices the cart if the catalogue has changed. `warnings` lists changed prices and insufficient stock.',
    access: 'cart:read',
    customer: 'optional',
    params: CartParams,
    answer: CartAnswer,
    errors: readErrors,
    headers: {
      'If-None-Match': "The `ETag` of the client's copy: responds with 304 if the cart has not changed.",
      ...pricingHeaders,
    },
    example: cartExamples.read,
  },
  (call) => onCart(call, call.params.cart_token, { name: 'read' }),
);

const history = endpoint(
  {
    method: 'get',
    path: '/v1/cart/{cart_token}/history',
    id: 'getCartHistory',
    tag,
    summary: "Get a cart's history",
    description:
      'The last 200 versions, newest first: what was done, by which application, and the totals then. No address, metadata or custom options. `merge` took the items of another cart of the same customer. The history of a cart that was merged into another is not kept.',
    access: 'cart:read',
    tagged: false,
    customer: 'optional',
    params: CartParams,
    answer: CartHistory,
    errors: readErrors,
    example: cartExamples.history,
  },
  (call) => reportOn<CartHistory>(call, call.params.cart_token, 'history'),
);

const explain = endpoint(
  {
    method: 'get',
    path: '/v1/cart/{cart_token}/explain',
    id: 'explainCart',
    tag,
    summary: "Explain a cart's totals",
    description:
      'Each amount of the totals with the rule and the numbers that it comes from, at the prices that the cart has now.',
    access: 'cart:read',
    tagged: false,
    customer: 'optional',
    params: CartParams,
    answer: TotalsExplanation,
    errors: readErrors,
    headers: pricingHeaders,
    example: cartExamples.explain,
  },
  (call) => reportOn<TotalsExplanation>(call, call.params.cart_token, 'explain'),
);

/** The endpoints that read a cart. */
export const cartReadEndpoints: readonly Endpoint[] = [read, history, explain];
