import { fail, invalid } from '../kernel/core/result.ts';
import { buyerHeaders } from '../kernel/http/client-ip.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { resolveAdditions } from './client/additions.ts';
import { onCart, onNewCart } from './client/cart-client.ts';
import { readCartToken } from './client/cart-id.ts';
import { resolveSteps } from './client/resolve-steps.ts';
import { editErrors, editHeaders, pricingHeaders, stockErrors } from './declarations.ts';
import { cartExamples } from './examples.ts';
import type { CartStep } from './object/messages.ts';
import { CartAnswer, CartBatch, CartCreate, CartParams } from './schemas.ts';

const tag = 'Cart';
/** The largest body of a request with many operations (bytes). */
const MAX_BATCH_BYTES = 256 * 1024;

const create = endpoint(
  {
    method: 'post',
    path: '/v1/cart',
    tag,
    summary: 'Create a cart',
    description:
      "Creates a cart in the tenant's default currency or in another of its currencies, empty or with up to 50 `items`, all or none of them. A cart expires 30 days after its last change, a customer's after 90 days, an empty one after 6 hours; calls with its token are then 410 for 30 days, and later 404. `PUT /v1/customers/me/cart` assigns a cart that is created during a customer's session to the customer.",
    access: 'cart:write',
    customer: 'optional',
    body: CartCreate,
    maxBytes: MAX_BATCH_BYTES,
    listField: 'items',
    status: 201,
    answer: CartAnswer,
    errors: [...stockErrors, 'product_not_found'],
    idempotent: 'own',
    headers: pricingHeaders,
    example: cartExamples.create,
  },
  async (call) => {
    const { currency = call.caller.currency, items = [], metadata } = call.body;
    if (!call.caller.currencies.includes(currency)) {
      return invalid('currency', `must be one of ${call.caller.currencies.join(', ')}`);
    }
    const additions = await resolveAdditions(call, items);
    const steps: CartStep[] = additions.map((addition) => ({ op: 'add', addition }));
    if (metadata !== undefined) steps.push({ op: 'metadata', metadata });
    return onNewCart(call, { name: 'create', currency, edits: { steps, field: 'items' } }, 201);
  },
);

const batch = endpoint(
  {
    method: 'post',
    path: '/v1/cart/{cart_token}/batch',
    id: 'changeCart',
    tag,
    summary: 'Make several changes to a cart',
    description:
      'Makes up to 50 changes in their order, all or none, as one version of the cart. Each one does what its own endpoint does. A failure has the code of that endpoint, `details.index` of the change that failed, and fields named by their path, such as `operations.2.quantity`.',
    access: 'cart:write',
    customer: 'optional',
    params: CartParams,
    body: CartBatch,
    maxBytes: MAX_BATCH_BYTES,
    listField: 'operations',
    answer: CartAnswer,
    errors: [
      ...editErrors,
      ...stockErrors,
      'product_not_found',
      'cart_item_not_found',
      'coupon_not_found',
      'coupon_not_applicable',
      'shipping_unavailable',
    ],
    idempotent: 'own',
    headers: { ...editHeaders, ...buyerHeaders },
    example: cartExamples.batch,
  },
  async (call) => {
    const { cart_token: token } = call.params;
    if (!readCartToken(call.env, call.tenantId, token)) return fail('cart_not_found');
    const steps = await resolveSteps(call, call.body.operations);
    if (!steps.ok) return steps;
    return onCart(call, token, { name: 'edit', edits: { steps: steps.value, field: 'operations' } });
  },
);

/** The endpoints that make several changes at once. */
export const cartBatchEndpoints: readonly Endpoint[] = [create, batch];
