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

const load = (visit: PageRequest, token: string) =>
  visit.shop({ path: `/v1/cart/${encodeURIComponent(token)}`, answer: Cart });

type Item = Cart['items'][number];

/** So many lines are on a page. */
const SHOWN = 10;
/** So many of its warnings are shown. */
const WARNED = 5;

const pathOf = (page: number): string => (page > 1 ? `/demo/cart?page=${page}` : '/demo/cart');

const Line = ({ visit, item, currency }: { visit: PageRequest; item: Item; currency: string }) => {
  const [name, here] = [clip(item.name, 60), `/demo/cart/items/${item.id}`];
  const after = `?page=${pageAsked(visit)}`;
  return (
    <li class="card line">
      <div>
        <h2>
          <a href={`/demo/products/${item.product_id}`}>{name}</a>
        </h2>
        <p class="hint">{clip(item.sku, 40)}</p>
      </div>
      <Form
        visit={visit}
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

const Lines = ({ visit, basket }: { visit: PageRequest; basket: Cart }) => {
  const { shown, meta } = pageOf(basket.items, pageAsked(visit), SHOWN);
  return (
    <>
      <ul class="rows">
        {shown.map((item) => (
          <Line visit={visit} item={item} currency={basket.currency} />
        ))}
      </ul>
      {meta.total_pages > 1 && <Pages meta={meta} href={pathOf} />}
    </>
  );
};

/** A shopper may have an account, and need not. */
const Whose = ({ visit }: { visit: PageRequest }) =>
  brought(visit, 'customer') ? (
    <p class="hint">
      You are signed in: the cart is kept with <a href="/demo/account">your account</a>.
    </p>
  ) : (
    <p class="hint">
      <a href="/demo/account/login">Sign in</a> or <a href="/demo/account/register">create an account</a> to
      keep this cart and see your orders. You can check out without one.
    </p>
  );

const Filled = ({ visit, basket, wrong }: { visit: PageRequest; basket: Cart; wrong: FormError | null }) => (
  <>
    {basket.warnings.slice(0, WARNED).map(({ message }) => (
      <p class="note">{message}</p>
    ))}
    {basket.warnings.length > WARNED && (
      <p class="note">More lines have changed: {basket.warnings.length - WARNED}</p>
    )}
    <Lines visit={visit} basket={basket} />
    <Form
      visit={visit}
      {...(wrong?.code === 'cart_locked'
        ? { action: '/demo/cart/new', submit: 'Begin a new cart' }
        : { action: '/demo/checkout', submit: 'To checkout' })}
    >
      <Totals totals={basket.totals} currency={basket.currency} />
    </Form>
  </>
);

const cartPage = async (visit: PageRequest, wrong: FormError | null) => {
  const token = brought(visit, 'cart');
  const answer = token ? await load(visit, token) : null;
  const basket = answer?.ok ? answer.value : null;
  const body = (
    <>
      {basket && basket.items.length > 0 ? (
        <Filled visit={visit} basket={basket} wrong={wrong} />
      ) : (
        <p class="empty">Your cart is empty.</p>
      )}
      <Whose visit={visit} />
    </>
  );
  return { title: 'Your cart', body };
};

async function setQuantity(visit: PageRequest, quantity: number): Promise<Outcome> {
  const cart_token = brought(visit, 'cart') ?? '';
  const path = `/v1/cart/items/${encodeURIComponent(visit.param('id'))}`;
  const changed = await visit.shop(
    quantity > 0
      ? { method: 'PATCH', path, body: { cart_token, quantity } }
      : { method: 'DELETE', path: `${path}?cart_token=${encodeURIComponent(cart_token)}` },
  );
  return changed.ok ? { to: pathOf(pageAsked(visit)) } : inWords(changed.trouble);
}

const change = (visit: PageRequest, { quantity }: { quantity: number }) => setQuantity(visit, quantity);
const remove = (visit: PageRequest) => setQuantity(visit, 0);

/** The cart that became an order is left to it. */
async function renew(visit: PageRequest): Promise<Outcome> {
  remember(visit, 'cart', null);
  return { to: '/demo' };
}

async function checkout(visit: PageRequest): Promise<Outcome> {
  const own = (path: string) => new URL(path, visit.c.req.url).href;
  const customer = brought(visit, 'customer');
  const prepared = await visit.shop({
    method: 'POST',
    path: '/v1/checkout/seamless',
    answer: Redirect,
    ...(customer && { customer }),
    body: {
      cart_token: brought(visit, 'cart') ?? '',
      return_url: own('/demo/thanks'),
      cancel_url: own('/demo/cart'),
    },
  });
  if (!prepared.ok && prepared.trouble.code === 'invalid_customer_token') {
    // The session has ended: go on as a guest.
    remember(visit, 'customer', null);
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
