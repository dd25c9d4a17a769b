import { getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Trouble } from './api.ts';
import { Account, Basket, Redirect } from './demo-wire.ts';
import { Field, type Filled, Form } from './form.tsx';
import { form, look, type Outcome, type Page, type Visit } from './page.ts';
import { money } from './parts.tsx';
import { wholeNumber } from './wire.ts';

const COOKIES = { cart: 'sfe-demo-cart', customer: 'sfe-demo-customer' } as const;

/** Keeps a token of the API in the shopper's browser, where no script can read it. */
export function remember(visit: Visit, what: keyof typeof COOKIES, token: string): void {
  const secure = new URL(visit.c.req.url).protocol === 'https:';
  const maxAge = token === '' ? 0 : 30 * 24 * 3600;
  setCookie(visit.c, COOKIES[what], token, {
    path: '/demo',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    maxAge,
  });
}

/** The shopper's cart token, or null. */
export const basketCookie = (visit: Visit): string | null => getCookie(visit.c, COOKIES.cart) || null;

const load = (visit: Visit, token: string) =>
  visit.shop({ path: `/v1/cart/${encodeURIComponent(token)}`, answer: Basket });

const Lines = ({ visit, basket }: { visit: Visit; basket: Basket }) => (
  <ul class="shelf">
    {basket.items.map((item) => (
      <li>
        <h2>
          <a href={`/demo/products/${item.product_id}`}>{item.name}</a>
        </h2>
        <p class="hint">{item.sku}</p>
        <p class="price">{money(item.total, basket.currency)}</p>
        <Form visit={visit} action={`/demo/cart/items/${item.id}`} submit="Change" about={item.name} quiet>
          <label>
            Quantity
            <input name="quantity" type="number" min={0} max={9999} value={String(item.quantity)} required />
          </label>
        </Form>
      </li>
    ))}
  </ul>
);

const Totals = ({ basket: { totals, currency } }: { basket: Basket }) => (
  <dl class="facts">
    {Object.entries({
      Subtotal: totals.subtotal,
      Discount: totals.discount,
      Shipping: totals.shipping,
      Tax: totals.tax,
      Total: totals.grand_total,
    }).map(([name, amount]) => (
      <div>
        <dt>{name}</dt>
        <dd>{money(amount, currency)}</dd>
      </div>
    ))}
  </dl>
);

/** A shopper may have an account, and need not. */
const Register = ({ f }: { f: Filled }) => (
  <section aria-labelledby="account">
    <h2 id="account">Create an account</h2>
    <p class="hint">If you like; you can check out without one.</p>
    <Form visit={f.visit} action="/demo/register" submit="Register">
      <Field f={f} name="name" label="Name" required attributes={{ autocomplete: 'name', maxlength: 120 }} />
      <Field f={f} name="email" label="E-mail" type="email" required attributes={{ autocomplete: 'email' }} />
      <Field
        f={f}
        name="password"
        label="Password"
        type="password"
        hint="At least 8 characters"
        required
        attributes={{ autocomplete: 'new-password', minlength: 8 }}
      />
    </Form>
  </section>
);

const cartPage = async (visit: Visit, wrong: Trouble | null) => {
  const token = basketCookie(visit);
  const answer = token ? await load(visit, token) : null;
  const basket = answer?.ok ? answer.value : null;
  const f = { visit, trouble: wrong };
  const known = getCookie(visit.c, COOKIES.customer);
  const body = (
    <>
      {basket && basket.items.length > 0 ? (
        <>
          {basket.warnings.map(({ message }) => (
            <p class="note">{message}</p>
          ))}
          <Lines visit={visit} basket={basket} />
          <Totals basket={basket} />
          <Form visit={visit} action="/demo/checkout" submit="To checkout" />
        </>
      ) : (
        <p class="empty">Your cart is empty.</p>
      )}
      {known ? <p class="hint">You are signed in.</p> : <Register f={f} />}
    </>
  );
  return { title: 'Your cart', body };
};

async function change(visit: Visit, { quantity }: { quantity: number }): Promise<Outcome> {
  const cart_token = basketCookie(visit) ?? '';
  const path = `/v1/cart/items/${encodeURIComponent(visit.param('id'))}`;
  const changed = await visit.shop(
    quantity > 0
      ? { method: 'PATCH', path, body: { cart_token, quantity } }
      : { method: 'DELETE', path: `${path}?cart_token=${encodeURIComponent(cart_token)}` },
  );
  return changed.ok ? { to: '/demo/cart' } : changed;
}

const Person = z.object({ name: z.string(), email: z.string(), password: z.string() });

async function register(visit: Visit, person: z.output<typeof Person>): Promise<Outcome> {
  const made = await visit.shop({
    ...{ method: 'POST', path: '/v1/customers/register', answer: Account },
    body: person,
  });
  if (!made.ok) return made;
  remember(visit, 'customer', made.value.token);
  return { to: '/demo/cart', note: 'registered' };
}

async function checkout(visit: Visit): Promise<Outcome> {
  const own = (path: string) => new URL(path, visit.c.req.url).href;
  const prepared = await visit.shop({
    ...{ method: 'POST', path: '/v1/checkout/seamless', answer: Redirect },
    body: {
      cart_token: basketCookie(visit) ?? '',
      return_url: own('/demo/thanks'),
      cancel_url: own('/demo/cart'),
    },
  });
  return prepared.ok ? { to: prepared.value.redirect_url } : prepared;
}

/** A storefront of its own would check `signature` before it believes the address; here it is only shown. */
const thanksPage = async (visit: Visit) => {
  const paid = visit.query('status') === 'paid';
  if (paid) remember(visit, 'cart', '');
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
          </a>
        </p>
      </>
    ),
  };
};

const at = (path: string) => ({ path: `/demo${path}`, audience: 'anyone' }) as const;

/** The demo shop's cart, account and checkout. */
export const demoCartPages: readonly Page[] = [
  look(at('/cart'), cartPage),
  form({ ...at('/cart/items/:id'), form: z.object({ quantity: wholeNumber }) }, cartPage, change),
  form({ ...at('/register'), form: Person }, cartPage, register),
  form({ ...at('/checkout'), form: z.object({}) }, cartPage, checkout),
  look(at('/thanks'), thanksPage),
];
