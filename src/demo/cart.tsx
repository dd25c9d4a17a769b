import { z } from 'zod';
import { formatMoney } from '../kernel/core/money.ts';
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
} from '../web/index.ts';
import { Cart, Redirect } from './schemas.ts';
import { brought, inWords, remember } from './session.ts';

const load = (request: PageRequest, token: string) =>
  request.shop({ path: `/v1/cart/${encodeURIComponent(token)}`, answer: Cart });

type Item = Cart['items'][number];

/** So many lines are on a page. */
const SHOWN = 10;
/** So many of its warnings are shown. */
const WARNED = 5;

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
          <input name="quantity" type="number" min={0} max={9999} value={String(item.quantity)} required />
        </label>
      </Form>
      <p class="price">{formatMoney(item.total, currency)}</p>
    </li>
  );
};

const Lines = ({ request, basket }: { request: PageRequest; basket: Cart }) => {
  const { shown, meta } = pageOf(basket.items, pageAsked(request), SHOWN);
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

/** A shopper may have an account, and need not. */
const Whose = ({ request }: { request: PageRequest }) =>
  brought(request, 'customer') ? (
    <p class="hint">
      You are signed in: the cart is kept with <a href="/demo/account">your account</a>.
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
  wrong,
}: {
  request: PageRequest;
  basket: Cart;
  wrong: FormError | null;
}) => (
  <>
    {basket.warnings.slice(0, WARNED).map(({ message }) => (
      <p class="note">{message}</p>
    ))}
    {basket.warnings.length > WARNED && (
      <p class="note">More lines have changed: {basket.warnings.length - WARNED}</p>
    )}
    <Lines request={request} basket={basket} />
    <Form
      request={request}
      {...(wrong?.code === 'cart_locked'
        ? { action: '/demo/cart/new', submit: 'Begin a new cart' }
        : { action: '/demo/checkout', submit: 'To checkout' })}
    >
      <Totals totals={basket.totals} currency={basket.currency} />
    </Form>
  </>
);

const cartPage = async (request: PageRequest, wrong: FormError | null) => {
  const token = brought(request, 'cart');
  const answer = token ? await load(request, token) : null;
  const basket = answer?.ok ? answer.value : null;
  const body = (
    <>
      {basket && basket.items.length > 0 ? (
        <Filled request={request} basket={basket} wrong={wrong} />
      ) : (
        <p class="empty">Your cart is empty.</p>
      )}
      <Whose request={request} />
    </>
  );
  return { title: 'Your cart', body };
};

async function setQuantity(request: PageRequest, quantity: number): Promise<Outcome> {
  const cart_token = brought(request, 'cart') ?? '';
  const path = `/v1/cart/items/${encodeURIComponent(request.param('id'))}`;
  const changed = await request.shop(
    quantity > 0
      ? { method: 'PATCH', path, body: { cart_token, quantity } }
      : { method: 'DELETE', path: `${path}?cart_token=${encodeURIComponent(cart_token)}` },
  );
  return changed.ok ? { to: pathOf(pageAsked(request)) } : inWords(changed.trouble);
}

const change = (request: PageRequest, { quantity }: { quantity: number }) => setQuantity(request, quantity);
const remove = (request: PageRequest) => setQuantity(request, 0);

/** The cart that became an order is left to it. */
async function renew(request: PageRequest): Promise<Outcome> {
  remember(request, 'cart', null);
  return { to: '/demo' };
}

async function checkout(request: PageRequest): Promise<Outcome> {
  const own = (path: string) => new URL(path, request.c.req.url).href;
  const customer = brought(request, 'customer');
  const prepared = await request.shop({
    method: 'POST',
    path: '/v1/checkout/seamless',
    answer: Redirect,
    ...(customer && { customer }),
    body: {
      cart_token: brought(request, 'cart') ?? '',
      return_url: own('/demo/thanks'),
      cancel_url: own('/demo/cart'),
    },
  });
  if (!prepared.ok && prepared.trouble.code === 'invalid_customer_token') {
    // The session has ended: go on as a guest.
    remember(request, 'customer', null);
    return { to: pathOf(1), note: 'session_ended' };
  }
  return prepared.ok ? { to: prepared.value.redirect_url } : inWords(prepared.trouble);
}

const at = (path: string) => ({ path: `/demo${path}`, audience: 'anyone' }) as const;

/** The demo shop's cart and checkout. */
export const demoCartPages: readonly Page[] = [
  getPage(at('/cart'), cartPage),
  form({ ...at('/cart/items/:id'), form: z.object({ quantity: wholeNumber }) }, cartPage, change),
  form({ ...at('/cart/items/:id/remove'), form: z.object({}) }, cartPage, remove),
  form({ ...at('/cart/new'), form: z.object({}) }, cartPage, renew),
  form({ ...at('/checkout'), form: z.object({}) }, cartPage, checkout),
];
