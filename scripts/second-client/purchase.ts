import {
  CartService,
  CheckoutService,
  OpenAPI,
  type Order,
  OrdersService,
  ProductsService,
} from 'second-client';

/** Where a shopper is sent back to: on one of the shop's `allowed_hosts`. */
const RETURN_URL = 'https://shop.example.com/thanks';
const CUSTOMER = { name: 'Grace Hopper', email: 'grace@example.com' };
const ADDRESS = { first_name: 'Grace', last_name: 'Hopper', line1: 'Kai 1', postal_code: '20457' };

/** Buys two units of a product, and reports the order as paid, as a checkout of the merchant's own does. */
export async function purchase(base: string, token: string, productId: number): Promise<Order> {
  OpenAPI.BASE = base;
  OpenAPI.TOKEN = token;
  const product = await ProductsService.getProduct({ id: productId });
  const { cart_token, items } = await CartService.addCartItem({
    requestBody: { product_id: product.id, quantity: 1 },
  });
  const [line] = items;
  if (!line) throw new Error('The cart is empty.');
  await CartService.updateCartItem({ id: line.id, requestBody: { cart_token, quantity: 2 } });
  const { redirect_url } = await CheckoutService.startCheckout({
    requestBody: { cart_token, return_url: RETURN_URL },
  });
  const { session } = claimsOf(new URL(redirect_url).searchParams.get('session_token') ?? '');
  const { id } = await OrdersService.placeOrder({
    idempotencyKey: session,
    requestBody: {
      session,
      customer: CUSTOMER,
      shipping_address: { ...ADDRESS, city: 'Hamburg', country: 'DE' },
    },
  });
  await OrdersService.reportOrderPayment({ id, requestBody: { status: 'paid', reference: session } });
  return OrdersService.getOrder({ id });
}

/** Returns the claims of a JWS (RFC 7515). Only a server that holds the shop's secret can verify them. */
function claimsOf(token: string): { session: string } {
  const [, payload = ''] = token.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}
