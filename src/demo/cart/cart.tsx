import { z } from 'zod';
import { formatMoney, type Schemas } from '../../../client/src/index.ts';
import { MAX_LINE_QUANTITY } from '../../kernel/core/limits.ts';
import {
  clip,
  Form,
  type FormError,
  form,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  Totals,
  wholeNumber,
} from '../../web/index.ts';
import { attempt, attemptAsGuest } from '../frame/attempt.ts';
import { rememberCheckout, shopOf } from '../frame/session.ts';

type Cart = Schemas['Cart'];
type Item = Cart['items'][number];

/** Line items on one page. */
const PAGE_SIZE = 5;
const MAX_WARNINGS_SHOWN = 5;

const pathOf = (page: number): string => (page > 1 ? `/demo/cart?page=${page}` : '/demo/cart');

const Line = ({ request, item, currency }: { request: PageRequest; item: Item; currency: string }) => {
  const [name, here] = [clip(item.name, 60), `/demo/cart/items/${item.id}`];
  const after = `?page=${pageAsked(request)}`;
  return (
    <li class="card line">
      <div>
        <h2>
          <a href={`/demo/products/${item.product_id}`}>{name}</a>
        </h2>
        <p class="hint">{clip(item.sku, 40)}</p>
      </div>
      <Form
        request={request}
        action={here + after}
        submit="Change"
        also={{ action: `${here}/remove${after}`, submit: 'Remove' }}
        about={name}
        quiet
      >
        <label>
          Quantity
          <input
            name="quantity"
            type="number"
            min={0}
            max={MAX_LINE_QUANTITY}
            value={String(item.quantity)}
            required
          />
        </label>
      </Form>
      <p class="price">{formatMoney(item.total, currency, 'en')}</p>
    </li>
  );
};

const Lines = ({ request, basket }: { request: PageRequest; basket: Cart }) => {
  const { shown, meta } = pageOf(basket.items, pageAsked(request), PAGE_SIZE);
  return (
    <>
      <ul class="rows">
        {shown.map((item) => (
          <Line request={request} item={item} currency={basket.currency} />
        ))}
      </ul>
      {meta.total_pages > 1 && <Pages meta={meta} href={pathOf} />}
    </>
  );
};

/** Says whether the cart is kept in an account. */
const CartOwner = ({ request }: { request: PageRequest }) =>
  shopOf(request).session.customerToken ? (
    <p class="hint">
      You are signed in. Your cart is saved in <a href="/demo/account">your account</a>.
    </p>
  ) : (
    <p class="hint">
      <a href="/demo/account/login">Sign in</a> or <a href="/demo/account/register">create an account</a> to
      keep this cart and see your orders. You can check out without one.
    </p>
  );

const Filled = ({
  request,
  basket,
  formError,
}: {
  request: PageRequest;
  basket: Cart;
  formError: FormError | null;
}) => (
  <>
    {basket.warnings.slice(0, MAX_WARNINGS_SHOWN).map(({ message }) => (
      <p class="note">{message}</p>
    ))}
    {basket.warnings.length > MAX_WARNINGS_SHOWN && (
      <p class="note">Further changed items: {basket.warnings.length - MAX_WARNINGS_SHOWN}</p>
    )}
    <Lines request={request} basket={basket} />
    <Form
      request={request}
      {...(formError?.code === 'cart_locked'
        ? { action: '/demo/cart/new', submit: 'Start a new cart' }
        : { action: '/demo/checkout', submit: 'Go to checkout' })}
    >
      <Totals totals={basket.totals} currency={basket.currency} />
    </Form>
  </>
);

const cartPage = async (request: PageRequest, formError: FormError | null) => {
  const client = shopOf(request);
  const answer = client.session.cartToken ? await attemptAsGuest(() => client.cart.get()) : null;
  const basket = answer?.ok ? answer.value : null;
  const body = (
    <>
      {basket && basket.items.length > 0 ? (
        <Filled request={request} basket={basket} formError={formError} />
      ) : (
        <p class="empty">Your cart is empty.</p>
      )}
      <CartOwner request={request} />
    </>
  );
  return { title: 'Your cart', body };
};

async function setQuantity(request: PageRequest, quantity: number): Promise<Outcome> {
  const { cart, session } = shopOf(request);
  const line = { id: Number(request.param('id')), cart_token: session.cartToken ?? '' };
  const changed = await attemptAsGuest(() =>
    quantity > 0 ? cart.updateItem({ ...line, quantity }) : cart.removeItem(line),
  );
  return changed.ok ? { to: pathOf(pageAsked(request)) } : changed;
}

const change = (request: PageRequest, { quantity }: { quantity: number }) => setQuantity(request, quantity);
const remove = (request: PageRequest) => setQuantity(request, 0);

/** Drops a cart that is locked by an order. */
async function startNewCart(request: PageRequest): Promise<Outcome> {
  shopOf(request).setSession({ cartToken: null });
  return { to: '/demo' };
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
  if (!started.ok && started.trouble.code === 'invalid_customer_token') {
    return { to: pathOf(1), note: 'session_ended' };
  }
  if (!started.ok) return started;
  rememberCheckout(request, started.value.redirect_url);
  return { to: started.value.redirect_url };
}

const at = (path: string) => ({ path: `/demo${path}`, audience: 'anyone' }) as const;

/** The demo shop's cart and checkout pages. */
export const cartPages: readonly Page[] = [
  getPage(at('/cart'), cartPage),
  form({ ...at('/cart/items/:id'), form: z.object({ quantity: wholeNumber }) }, cartPage, change),
  form({ ...at('/cart/items/:id/remove'), form: z.object({}) }, cartPage, remove),
  form({ ...at('/cart/new'), form: z.object({}) }, cartPage, startNewCart),
  form({ ...at('/checkout'), form: z.object({}) }, cartPage, checkout),
];
