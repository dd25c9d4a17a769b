import { z } from 'zod';
import { formatMoney } from '../kernel/core/money.ts';
import {
  type Ask,
  EmailField,
  Field,
  Form,
  type FormError,
  form,
  getPage,
  NewPasswordField,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
  PasswordField,
  pageParam,
  State,
  When,
} from '../web/index.ts';
import { Account, Customer, type Order, Orders } from './schemas.ts';
import { isLost, remember, storedToken } from './session.ts';

const root = '/demo/account';

const loginPage = async (request: PageRequest, formError: FormError | null) => {
  const f = { request, trouble: formError };
  const body = (
    <>
      <Form request={request} action={`${root}/login`} submit="Sign in">
        <EmailField f={f} />
        <PasswordField f={f} />
      </Form>
      <p>
        New here? <a href={`${root}/register`}>Create an account</a>
      </p>
    </>
  );
  return { title: 'Sign in', body };
};

const registerPage = async (request: PageRequest, formError: FormError | null) => {
  const f = { request, trouble: formError };
  const body = (
    <>
      <Form request={request} action={`${root}/register`} submit="Register">
        <Field
          f={f}
          name="name"
          label="Name"
          required
          attributes={{ autocomplete: 'name', maxlength: 120 }}
        />
        <EmailField f={f} />
        <NewPasswordField f={f} label="Password" hint="At least 8 characters" />
      </Form>
      <p>
        Already have an account? <a href={`${root}/login`}>Sign in</a>
      </p>
    </>
  );
  return { title: 'Create an account', body };
};

/**
 * Registers or logs in with the browser's cart, which becomes the customer's; a cart that is no longer usable is
 * dropped. The response's cart includes the items of the customer's earlier cart.
 */
async function enter(request: PageRequest, path: string, person: object): Promise<Outcome | null> {
  const cart = storedToken(request, 'cart');
  const once = request.sent._once?.[0];
  const send = (cart_token: string | null, key = once) =>
    request.shop({ method: 'POST', path, body: { ...person, cart_token }, answer: Account, once: key });
  let entered = await send(cart);
  if (!entered.ok && cart && isLost(entered.trouble)) entered = await send(null, once && `${once}-alone`);
  if (!entered.ok) return entered;
  remember(request, 'customer', entered.value.token);
  remember(request, 'cart', entered.value.cart_token);
  return null;
}

const Login = z.object({ email: z.string(), password: z.string() });

const login = async (request: PageRequest, person: z.output<typeof Login>): Promise<Outcome> =>
  (await enter(request, '/v1/customers/login', person)) ?? { to: root, note: 'signed_in' };

const Register = Login.extend({ name: z.string() });

const register = async (request: PageRequest, person: z.output<typeof Register>): Promise<Outcome> =>
  (await enter(request, '/v1/customers/register', person)) ?? { to: root, note: 'registered' };

async function logout(request: PageRequest): Promise<Outcome> {
  const customer = storedToken(request, 'customer');
  const ended = customer && (await request.shop({ method: 'POST', path: '/v1/customers/logout', customer }));
  if (ended && !ended.ok && ended.trouble.code !== 'invalid_customer_token') return ended;
  // The cart belongs to the customer: the next login restores it.
  for (const token of ['customer', 'cart'] as const) remember(request, token, null);
  return { to: '/demo', note: 'signed_out' };
}

const OrderCard = ({ order }: { order: Order }) => (
  <li class="card">
    <h3>
      Order {order.number} <State is={order.status} />
    </h3>
    <p class="hint">
      <When at={order.created_at} />
    </p>
    <ul>
      {order.items.map(({ name, quantity, downloads }) => (
        <li>
          {quantity} × {name}
          {downloads.map(({ title, url }) => (
            <>
              {' · '}
              <a href={url}>{title}</a>
            </>
          ))}
        </li>
      ))}
    </ul>
    <p class="price">{formatMoney(order.totals.grand_total, order.currency)}</p>
  </li>
);

const accountPage = async (request: PageRequest) => {
  const customer = storedToken(request, 'customer');
  if (!customer) return { to: `${root}/login` };
  const page = pageParam(request);
  const ask = <T,>(path: string, answer: Ask<T>['answer']) =>
    request.shop({ path: `/v1/customers/me${path}`, customer, ...(answer && { answer }) });
  const [me, orders] = await Promise.all([ask('', Customer), ask(`/orders?limit=10&page=${page}`, Orders)]);
  if (!me.ok && me.trouble.code === 'invalid_customer_token') {
    remember(request, 'customer', null);
    return { to: `${root}/login`, note: 'session_ended' } as const;
  }
  if (!me.ok) return me;
  if (!orders.ok) return orders;
  const { data, meta } = orders.value;
  const body = (
    <>
      <p>
        {me.value.name}, {me.value.email}
      </p>
      <Form request={request} action={`${root}/logout`} submit="Sign out" quiet />
      <h2>My orders</h2>
      {data.length === 0 ? (
        <p class="empty">No orders yet.</p>
      ) : (
        <>
          <ul class="rows">
            {data.map((order) => (
              <OrderCard order={order} />
            ))}
          </ul>
          {meta.total_pages > 1 && <Pages meta={meta} href={(to) => `${root}?page=${to}`} />}
        </>
      )}
    </>
  );
  return { title: 'Your account', body };
};

const at = (path: string) => ({ path: `${root}${path}`, audience: 'anyone' }) as const;

/** The demo shop's account pages: sign-in, registration, sign-out and order history. */
export const demoAccountPages: readonly Page[] = [
  getPage(at(''), accountPage),
  getPage(at('/login'), loginPage),
  form({ ...at('/login'), form: Login }, loginPage, login),
  getPage(at('/register'), registerPage),
  form({ ...at('/register'), form: Register }, registerPage, register),
  form({ ...at('/logout'), form: z.object({}) }, accountPage, logout),
];
