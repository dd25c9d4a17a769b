import { z } from 'zod';
import {
  form,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  pageAsked,
  wholeNumber,
} from '../../web/index.ts';
import { attempt, attemptAsGuest } from '../frame/attempt.ts';
import { shopDocument } from '../frame/document.tsx';
import { rememberCheckout, shopOf } from '../frame/session.ts';
import { cartPage, cartPath, NO_CART } from './cart-page.tsx';

async function setQuantity(request: PageRequest, quantity: number): Promise<Outcome> {
  const { cart, session } = shopOf(request);
  const line = { id: Number(request.param('id')), cart_token: session.cartToken ?? '' };
  const changed = await attemptAsGuest(() =>
    quantity > 0 ? cart.updateItem({ ...line, quantity }) : cart.removeItem(line),
  );
  // Removed already: by the same form, or in another tab.
  const isGone = !changed.ok && quantity === 0 && changed.formError.code === 'cart_item_not_found';
  const note = quantity > 0 ? 'cart_changed' : 'removed_from_cart';
  if (changed.ok || isGone) return { to: cartPath(pageAsked(request)), note };
  const { formError } = changed;
  const isShort = formError.code === 'insufficient_stock' || formError.code === 'slot_unavailable';
  return isShort ? { formError: { ...formError, errors: { quantity: [formError.message] } } } : changed;
}

const change = (request: PageRequest, { quantity }: { quantity: number }) => setQuantity(request, quantity);
const remove = (request: PageRequest) => setQuantity(request, 0);

/** Drops a cart that is locked by an order. */
async function startNewCart(request: PageRequest): Promise<Outcome> {
  shopOf(request).setSession({ cartToken: null });
  return { to: '/demo' };
}

const Code = z.object({ code: z.string().trim().max(100) });

async function addCode(request: PageRequest, { code }: z.output<typeof Code>): Promise<Outcome> {
  const { cart, session } = shopOf(request);
  const { cartToken: cart_token } = session;
  if (!cart_token) return NO_CART;
  const applied = await attemptAsGuest(() => cart.applyCoupon({ cart_token, code }));
  if (applied.ok) return { to: '/demo/cart', note: 'code_added' };
  // The error of a refused code is shown at its field.
  const { formError } = applied;
  const isOfCode = formError.status === 404 || formError.status === 409 || formError.status === 422;
  const messages = formError.errors.code ?? [formError.message];
  return { formError: isOfCode ? { ...formError, errors: { code: messages } } : formError };
}

async function removeCode(request: PageRequest, { code }: z.output<typeof Code>): Promise<Outcome> {
  const { cart, session } = shopOf(request);
  const { cartToken: cart_token } = session;
  if (!cart_token) return NO_CART;
  const removed = await attemptAsGuest(() => cart.removeCoupon({ cart_token, code }));
  return removed.ok || removed.formError.code === 'coupon_not_found'
    ? { to: '/demo/cart', note: 'removed' }
    : removed;
}

/**
 * Leads to a checkout on another host. Not by a redirect: browsers let a form lead only to hosts that the policy of
 * its page names, which is this one alone.
 */
function leaveForCheckout({ c }: PageRequest, url: string): Outcome {
  c.header('Refresh', `0;url=${url}`);
  const body = (
    <div class="entry">
      <p class="lead">This shop has a checkout of its own, which opens now.</p>
      <p>
        <a class="button" href={url}>
          Continue to checkout
        </a>
      </p>
    </div>
  );
  return { view: { title: 'Checkout', body, document: shopDocument } };
}

async function checkout(request: PageRequest): Promise<Outcome> {
  const own = (path: string) => new URL(path, request.c.req.url).href;
  const client = shopOf(request);
  const started = await attempt(
    client.checkout.start({
      cart_token: client.session.cartToken ?? '',
      return_url: own('/demo/thanks'),
      cancel_url: own('/demo/cart'),
    }),
  );
  // The session has expired, so the shopper continues as a guest.
  if (!started.ok && started.formError.code === 'invalid_customer_token') {
    return { to: cartPath(1), note: 'session_ended' };
  }
  if (!started.ok) return started;
  const { href, origin } = new URL(started.value.redirect_url);
  if (origin !== new URL(request.c.req.url).origin) return leaveForCheckout(request, href);
  rememberCheckout(request, href);
  return { to: href };
}

const at = (path: string) => ({ path: `/demo${path}`, audience: 'anyone' }) as const;
const nothing = z.object({});

/** The cart, what changes it, and the way to the hosted checkout. */
export const cartPages: readonly Page[] = [
  getPage(at('/cart'), cartPage),
  form({ ...at('/cart/items/:id'), form: z.object({ quantity: wholeNumber }) }, cartPage, change),
  form({ ...at('/cart/items/:id/remove'), form: nothing }, cartPage, remove),
  form({ ...at('/cart/coupon'), form: Code }, cartPage, addCode),
  form({ ...at('/cart/coupon/remove'), form: Code }, cartPage, removeCode),
  form({ ...at('/cart/new'), form: nothing }, cartPage, startNewCart),
  form({ ...at('/checkout'), form: nothing }, cartPage, checkout),
];
