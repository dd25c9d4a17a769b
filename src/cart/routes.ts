import { fail } from '../kernel/core/result.ts';
import { buyerHeaders, buyerNetwork } from '../kernel/http/client-ip.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { PostalAddressInput } from '../kernel/values/postal-address.ts';
import { cartBatchEndpoints } from './batch-routes.ts';
import { resolveAdditions } from './client/additions.ts';
import { onCart, onNewCart, single } from './client/cart-client.ts';
import { readCartToken } from './client/cart-id.ts';
import { findCartCode } from './client/find-code.ts';
import { editErrors, editHeaders, stockErrors } from './declarations.ts';
import { cartExamples } from './examples.ts';
import type { CartStep } from './object/messages.ts';
import { cartReadEndpoints } from './read-routes.ts';
import {
  CartAnswer,
  CartParams,
  CartQuery,
  CouponApply,
  CouponQuery,
  ItemAdd,
  ItemParams,
  ItemPatch,
} from './schemas.ts';
import { cartShippingEndpoints } from './shipping-routes.ts';

const tag = 'Cart';

const OPTIONS = `The keys of \`options\` depend on the product's type:

- configurable: \`variant_id\` beside \`product_id\` or in its place, \`{"variant_id": 12}\` or \`{"attributes": {"size": "M"}}\`
- downloadable with links: \`{"links": [2]}\`
- grouped: \`{"qty": {"31": 2}}\`, by default the default quantities; each member becomes a line item
- bundled: \`{"bundle_options": {"1": [5]}, "bundle_option_qty": {"1": 1}}\`
- booking: \`{"booking": {"from": "2027-05-01T09:00:00Z", "to": "2027-05-01T10:00:00Z"}}\`

Other keys, with a string, number, boolean or null, are stored as custom data of the shopper. Adding the same
product with the same options raises the quantity of its line item. Without a \`cart_token\` a new cart is created.
\`PUT /v1/customers/me/cart\` assigns a cart that is created during a customer's session to the customer.`;

const add = endpoint(
  {
    method: 'post',
    path: '/v1/cart/items',
    id: 'addCartItem',
    tag,
    summary: 'Add a product to a cart',
    description: OPTIONS,
    access: 'cart:write',
    customer: 'optional',
    body: ItemAdd,
    answer: CartAnswer,
    errors: [...editErrors, ...stockErrors, 'product_not_found'],
    idempotent: 'own',
    headers: editHeaders,
    examples: cartExamples.add,
  },
  async (call) => {
    const { cart_token: token = null } = call.body;
    if (token !== null && !readCartToken(call.env, call.tenantId, token)) return fail('cart_not_found');
    const [addition = fail('product_not_found')] = await resolveAdditions(call, [call.body]);
    // The cart stores the failure for an idempotency key.
    if (!addition.ok && call.c.req.header('idempotency-key') === undefined) return addition;
    const step = { op: 'add', addition } as const;
    if (token !== null) return onCart(call, token, single(step));
    const { currency } = call.caller;
    return onNewCart(call, { ...single(step), name: 'create', currency }, 200);
  },
);

const change = endpoint(
  {
    method: 'patch',
    path: '/v1/cart/items/{id}',
    tag,
    summary: 'Set the quantity of a line item',
    access: 'cart:write',
    customer: 'optional',
    params: ItemParams,
    body: ItemPatch,
    answer: CartAnswer,
    errors: [...editErrors, ...stockErrors, 'cart_item_not_found'],
    headers: editHeaders,
    example: cartExamples.change,
  },
  (call) => {
    const { cart_token: token, quantity } = call.body;
    return onCart(call, token, single({ op: 'set', lineId: call.params.id, quantity }));
  },
);

const remove = endpoint(
  {
    method: 'delete',
    path: '/v1/cart/items/{id}',
    id: 'removeCartItem',
    tag,
    summary: 'Remove a line item from a cart',
    access: 'cart:write',
    customer: 'optional',
    params: ItemParams,
    query: CartQuery,
    answer: CartAnswer,
    errors: [...editErrors, 'cart_item_not_found'],
    headers: editHeaders,
    example: cartExamples.remove,
  },
  (call) => onCart(call, call.query.cart_token, single({ op: 'remove', lineId: call.params.id })),
);

const applyCoupon = endpoint(
  {
    method: 'post',
    path: '/v1/cart/{cart_token}/coupon',
    id: 'applyCartCoupon',
    tag,
    summary: 'Apply a coupon',
    description:
      'Adds the code of a promotion to at most 2 others. A code that is not `combinable` replaces an earlier one of that kind. Which of them apply does not depend on their order. A code that does not apply because others are better stays with `applies: false`. `coupon_not_applicable` carries the reason in `details.reason`, and what is missing in `minimum_subtotal` or `minimum_quantity`. After ten wrong codes in a row the cart rejects every code for 15 minutes.',
    access: 'cart:write',
    customer: 'optional',
    params: CartParams,
    body: CouponApply,
    answer: CartAnswer,
    errors: [...editErrors, 'coupon_not_found', 'coupon_not_applicable'],
    idempotent: 'own',
    headers: { ...editHeaders, ...buyerHeaders },
    example: cartExamples.applyCoupon,
  },
  async (call) => {
    const { c, params, body } = call;
    if (!readCartToken(call.env, call.tenantId, params.cart_token)) return fail('cart_not_found');
    const address = buyerNetwork(c);
    if (!address.ok) return address;
    const customerId = call.customer?.customerId ?? null;
    const found = await findCartCode(call, { code: body.code, customerId, address: address.value });
    return onCart(call, params.cart_token, single({ op: 'coupon', found }));
  },
);

const removeCoupon = endpoint(
  {
    method: 'delete',
    path: '/v1/cart/{cart_token}/coupon',
    id: 'removeCartCoupon',
    tag,
    summary: 'Remove coupons',
    description: 'Removes the code that the query names, or else all codes.',
    access: 'cart:write',
    customer: 'optional',
    params: CartParams,
    query: CouponQuery,
    answer: CartAnswer,
    errors: editErrors,
    headers: editHeaders,
    example: cartExamples.removeCoupon,
  },
  (call) => {
    const { code } = call.query;
    const step: CartStep = code === undefined ? { op: 'coupon', found: null } : { op: 'remove_coupon', code };
    return onCart(call, call.params.cart_token, single(step));
  },
);

const setAddress = endpoint(
  {
    method: 'put',
    path: '/v1/cart/{cart_token}/shipping-address',
    tag,
    summary: 'Set the shipping address',
    description: 'The country determines tax and shipping.',
    access: 'cart:write',
    customer: 'optional',
    params: CartParams,
    body: PostalAddressInput,
    answer: CartAnswer,
    errors: editErrors,
    headers: editHeaders,
    example: cartExamples.setAddress,
  },
  (call) => onCart(call, call.params.cart_token, single({ op: 'address', address: call.body })),
);

/** The endpoints of the Cart API. */
export const cartEndpoints: readonly Endpoint[] = [
  ...cartBatchEndpoints,
  ...cartReadEndpoints,
  add,
  change,
  remove,
  applyCoupon,
  removeCoupon,
  setAddress,
  ...cartShippingEndpoints,
];
