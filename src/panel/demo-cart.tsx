import { z } from 'zod';
import { formatMoney } from '../kernel/money.ts';
import type { Trouble } from './api.ts';
import { brought, inWords, remember } from './demo-shopper.ts';
import { Basket, Redirect } from './demo-wire.ts';
import { Form } from './form.tsx';
import { form, look, type Outcome, type Page, type Visit } from './page.ts';
import { Totals } from './parts.tsx';
import { wholeNumber } from './wire.ts';

const load = (visit: Visit, token: string) =>
  visit.shop({ path: `/v1/cart/${encodeURIComponent(token)}`, answer: Basket });

const Lines = ({ visit, basket }: { visit: Visit; basket: Basket }) => (
  <ul class="rows">
    {basket.items.map(({ id, product_id, name, sku, quantity, total }) => (
      <li class="card line">
        <div>
          <h2>
            <a href={`/demo/products/${product_id}`}>{name}</a>
          </h2>
          <p class="hint">{sku}</p>
        </div>
        <Form visit={visit} action={`/demo/cart/items/${id}`} submit="Change" about={name} quiet>
          <label>
            Quantity
            <input name="quantity" type="number" min={0} max={9999} value={String(quantity)} required />
          </label>
        </Form>
        <Form visit={visit} action={`/demo/cart/items/${id}`} submit="Remove" about={name} quiet>
          <input type="hidden" name="quantity" value="0" />
        </Form>
        <p class="price">{formatMoney(total, basket.currency)}</p>
      </li>
    ))}
  </ul>
);

/** A shopper may have an account, and need not. */
const Whose = ({ visit }: { visit: Visit }) =>
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

const Filled = ({ visit, basket, wrong }: { visit: Visit; basket: Basket; wrong: Trouble | null }) => (
  <>
    {basket.warnings.map(({ message }) => (
      <p class="note">{message}</p>
    ))}
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

const cartPage = async (visit: Visit, wrong: Trouble | null) => {
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

async function change(visit: Visit, { quantity }: { quantity: number }): Promise<Outcome> {
  const cart_token = brought(visit, 'cart') ?? '';
  const path = `/v1/cart/items/${encodeURIComponent(visit.param('id'))}`;
  const changed = await visit.shop(
    quantity > 0
      ? { method: 'PATCH', path, body: { cart_token, quantity } }
      : { method: 'DELETE', path: `${path}?cart_token=${encodeURIComponent(cart_token)}` },
  );
  return changed.ok ? { to: '/demo/cart' } : inWords(changed.trouble);
}

/** The cart that became an order is left to it. */
async function renew(visit: Visit): Promise<Outcome> {
  remember(visit, 'cart', null);
  return { to: '/demo' };
}

async function checkout(visit: Visit): Promise<Outcome> {
  const own = (path: string) => new URL(path, visit.c.req.url).href;
  const prepared = await visit.shop({
    ...{ method: 'POST', path: '/v1/checkout/seamless', answer: Redirect },
    body: {
      cart_token: brought(visit, 'cart') ?? '',
      return_url: own('/demo/thanks'),
      cancel_url: own('/demo/cart'),
    },
  });
  return prepared.ok ? { to: prepared.value.redirect_url } : inWords(prepared.trouble);
}

/** A storefront of its own would check `signature` before it believes the address; here it is only shown. */
const thanksPage = async (visit: Visit) => {
  const paid = visit.query('status') === 'paid';
  if (paid) remember(visit, 'cart', null);
  return {
    title: paid ? 'Thank you' : 'Your order',
    body: (
      <>
        <p>
          Order {visit.query('order_number')} is {visit.query('status') || 'on its way'}.
        </p>
        <p>
          <a class="button" href="/demo">
            Back to the shop
          </a>{' '}
          {brought(visit, 'customer') && <a href="/demo/account">My orders</a>}
        </p>
      </>
    ),
  };
};

const at = (path: string) => ({ path: `/demo${path}`, audience: 'anyone' }) as const;

/** The demo shop's cart and checkout. */
export const demoCartPages: readonly Page[] = [
  look(at('/cart'), cartPage),
  form({ ...at('/cart/items/:id'), form: z.object({ quantity: wholeNumber }) }, cartPage, change),
  form({ ...at('/cart/new'), form: z.object({}) }, cartPage, renew),
  form({ ...at('/checkout'), form: z.object({}) }, cartPage, checkout),
  look(at('/thanks'), thanksPage),
];
