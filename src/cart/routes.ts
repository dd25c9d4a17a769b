import { sellableView } from '../catalog/index.ts';
import { now } from '../kernel/core/clock.ts';
import { PostalAddressInput } from '../kernel/core/postal-address.ts';
import { fail, invalid, ok, type Result } from '../kernel/core/result.ts';
import { buyerHeaders, buyerNetwork } from '../kernel/http/client-ip.ts';
import type { Call } from '../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { codeSourceAt, findCoupon } from '../promotions/index.ts';
import { onCart, onNewCart } from './client/http.ts';
import type { CartCall } from './client/rpc.ts';
import { readCartToken } from './client/token.ts';
import type { CartAddition } from './object/edits.ts';
import type { ShownReply } from './object/preconditions.ts';
import { resolveOffers } from './options/resolve.ts';
import {
  CartAnswer,
  CartCreate,
  CartParams,
  CartQuery,
  CouponApply,
  ItemAdd,
  ItemParams,
  ItemPatch,
} from './schemas.ts';

const tag = 'Cart';
const gone = ['cart_not_found', 'cart_expired'] as const;
const edits = [...gone, 'precondition_failed', 'cart_locked'] as const;
const short = ['insufficient_stock', 'slot_unavailable'] as const;

const headers = {
  'If-Match': 'Change the cart only if it still has this `ETag`.',
  'X-Catalog-Version': 'Price with this catalogue version or a newer one.',
};

const create = endpoint(
  {
    method: 'post',
    path: '/v1/cart',
    tag,
    summary: 'Create a cart',
    description: "In the tenant's currency, or another that it sells in. An empty cart lives 6 hours.",
    access: 'cart:write',
    customer: 'optional',
    body: CartCreate,
    status: 201,
    answer: CartAnswer,
    idempotent: 'own',
  },
  async (call) => {
    const { currency = call.caller.currency } = call.body;
    if (!call.caller.currencies.includes(currency)) {
      return invalid('currency', `the tenant sells in ${call.caller.currencies.join(', ')}`);
    }
    return onNewCart(call, (cart, visit) => cart.create(visit, currency), 201);
  },
);

const read = endpoint(
  {
    method: 'get',
    path: '/v1/cart/{cart_token}',
    tag,
    summary: 'A cart',
    description: 'Prices are looked up again when the catalogue has moved; `warnings` tell of what changed.',
    access: 'cart:read',
    customer: 'optional',
    params: CartParams,
    answer: CartAnswer,
    errors: gone,
    headers: {
      'If-None-Match': 'The `ETag` of the cart that the client has: 304 while it looks the same.',
      'X-Catalog-Version': headers['X-Catalog-Version'],
    },
  },
  (call) => onCart(call, call.params.cart_token, { safe: true }, (cart, visit) => cart.read(visit)),
);

const OPTIONS = `\`options\` say what is bought, by the product's type:

- configurable: \`{"variant_id": 12}\` or \`{"attributes": {"size": "M"}}\`
- downloadable with links: \`{"links": [2]}\`
- grouped: \`{"qty": {"31": 2}}\`, the default quantities without it; each member becomes a line
- bundled: \`{"bundle_options": {"1": [5]}, "bundle_option_qty": {"1": 1}}\`
- booking: \`{"booking": {"from": "2027-05-01T09:00:00Z", "to": "2027-05-01T10:00:00Z"}}\`

Other keys with a text, number, true or false are kept as the shopper's own data. The same product with the
same options adds up on one line. Without a \`cart_token\` a cart is made.`;

/** What a product with these options comes to in the catalogue. */
async function wishOf(call: Call<unknown, unknown, ItemAdd>, version: number) {
  const { product_id: id, quantity, options } = call.body;
  const view = await sellableView(call, id, version);
  if (!view.ok) return view;
  const wanted = resolveOffers(view.value.value, options ?? {}, quantity, now());
  return wanted.ok ? ok({ version: view.value.version, wanted: wanted.value }) : wanted;
}

/** Hands a wish to the cart; a refused one only where a key has to remember that. */
const adding =
  (
    wish: (version: number) => Promise<Result<CartAddition>>,
    currency: string | null,
  ): CartCall<ShownReply>['ask'] =>
  async (cart, visit) => {
    const wanted = await wish(visit.shop.version);
    return wanted.ok || visit.once ? cart.add(visit, wanted, currency) : wanted;
  };

const add = endpoint(
  {
    method: 'post',
    path: '/v1/cart/items',
    tag,
    summary: 'Add a product to a cart',
    description: OPTIONS,
    access: 'cart:write',
    customer: 'optional',
    body: ItemAdd,
    answer: CartAnswer,
    errors: [...edits, ...short, 'product_not_found'],
    idempotent: 'own',
    headers,
  },
  async (call) => {
    const wish = (version: number) => wishOf(call, version);
    const { cart_token: token } = call.body;
    if (token) return onCart(call, token, { safe: false }, adding(wish, null));
    if (token === '') return fail('cart_not_found');
    return onNewCart(call, adding(wish, call.caller.currency), 200);
  },
);

const change = endpoint(
  {
    method: 'patch',
    path: '/v1/cart/items/{id}',
    tag,
    summary: 'Change the quantity of a line',
    access: 'cart:write',
    customer: 'optional',
    params: ItemParams,
    body: ItemPatch,
    answer: CartAnswer,
    errors: [...edits, ...short, 'cart_item_not_found'],
    headers,
  },
  (call) => {
    const { cart_token: token, quantity } = call.body;
    return onCart(call, token, { safe: true }, (cart, visit) => cart.change(visit, call.params.id, quantity));
  },
);

const remove = endpoint(
  {
    method: 'delete',
    path: '/v1/cart/items/{id}',
    tag,
    summary: 'Take a line out of a cart',
    access: 'cart:write',
    customer: 'optional',
    params: ItemParams,
    query: CartQuery,
    answer: CartAnswer,
    errors: [...edits, 'cart_item_not_found'],
    headers,
  },
  (call) =>
    onCart(call, call.query.cart_token, { safe: false }, (cart, visit) => cart.remove(visit, call.params.id)),
);

const applyCoupon = endpoint(
  {
    method: 'post',
    path: '/v1/cart/{cart_token}/coupon',
    tag,
    summary: 'Apply a coupon',
    description:
      'Instead of the one before it. `coupon_not_applicable` says why in `details.reason`. After ten wrong codes in a row the cart takes none for 15 minutes.',
    access: 'cart:write',
    customer: 'optional',
    params: CartParams,
    body: CouponApply,
    answer: CartAnswer,
    errors: [...edits, 'coupon_not_found', 'coupon_not_applicable'],
    idempotent: 'own',
    headers: { ...headers, ...buyerHeaders },
  },
  async (call) => {
    const { env, caller, c, params, body } = call;
    if (!readCartToken(env, caller.tenantId, params.cart_token)) return fail('cart_not_found');
    const address = buyerNetwork(c);
    if (!address.ok) return address;
    const guesser = codeSourceAt(env, caller.tenantId, address.value);
    const found = await findCoupon(env, body.code, call.customer?.customerId ?? null, guesser);
    return onCart(call, params.cart_token, { safe: false }, (cart, visit) => cart.applyCoupon(visit, found));
  },
);

const removeCoupon = endpoint(
  {
    method: 'delete',
    path: '/v1/cart/{cart_token}/coupon',
    tag,
    summary: 'Take the coupon away',
    access: 'cart:write',
    customer: 'optional',
    params: CartParams,
    answer: CartAnswer,
    errors: edits,
    headers,
  },
  (call) => onCart(call, call.params.cart_token, { safe: true }, (cart, visit) => cart.removeCoupon(visit)),
);

const setAddress = endpoint(
  {
    method: 'put',
    path: '/v1/cart/{cart_token}/shipping-address',
    tag,
    summary: 'Set the shipping address',
    description: 'The country decides about tax and shipping.',
    access: 'cart:write',
    customer: 'optional',
    params: CartParams,
    body: PostalAddressInput,
    answer: CartAnswer,
    errors: edits,
    headers,
  },
  (call) =>
    onCart(call, call.params.cart_token, { safe: true }, (cart, visit) => cart.setAddress(visit, call.body)),
);

/** Carts: made, read, filled, priced. */
export const cartEndpoints: readonly Endpoint[] = [
  create,
  read,
  add,
  change,
  remove,
  applyCoupon,
  removeCoupon,
  setAddress,
];
