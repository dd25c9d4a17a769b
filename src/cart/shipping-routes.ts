import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { onCart, reportOn, single } from './client/cart-client.ts';
import { editErrors, editHeaders, pricingHeaders, readErrors } from './declarations.ts';
import { cartExamples } from './examples.ts';
import { CartAnswer, CartParams, ShippingMethodChoice, ShippingMethodList } from './schemas.ts';

const tag = 'Cart';

const list = endpoint(
  {
    method: 'get',
    path: '/v1/cart/{cart_token}/shipping-methods',
    id: 'listCartShippingMethods',
    tag,
    summary: 'List the shipping methods of a cart',
    description:
      "The methods that fit the cart's country, currency and items, in the order of the settings, with their prices for these items. Empty if nothing is shipped. Methods for certain countries appear once the cart has a shipping address.",
    access: 'cart:read',
    tagged: false,
    customer: 'optional',
    params: CartParams,
    answer: ShippingMethodList,
    errors: readErrors,
    headers: pricingHeaders,
    example: cartExamples.shippingMethods,
  },
  (call) => reportOn<ShippingMethodList>(call, call.params.cart_token, 'shipping-methods'),
);

const choose = endpoint(
  {
    method: 'put',
    path: '/v1/cart/{cart_token}/shipping-method',
    id: 'setCartShippingMethod',
    tag,
    summary: 'Choose the shipping method',
    description:
      'Without a choice the cheapest method applies. A choice is kept while the cart changes; where it does not fit, the cheapest applies and `warnings` says so. A method that the settings do not have is 422; one that does not fit the cart is 409 `shipping_unavailable`, with the ids of those that fit in `details.available`.',
    access: 'cart:write',
    customer: 'optional',
    params: CartParams,
    body: ShippingMethodChoice,
    answer: CartAnswer,
    errors: [...editErrors, 'shipping_unavailable'],
    headers: editHeaders,
    example: cartExamples.chooseShippingMethod,
  },
  (call) => onCart(call, call.params.cart_token, single({ op: 'shipping_method', id: call.body.id })),
);

/** The endpoints for the shipping method of a cart. */
export const cartShippingEndpoints: readonly Endpoint[] = [list, choose];
