import { z } from 'zod';
import { type CallOptions, formatMoney, type Schemas } from '../../../client/src/index.ts';
import {
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
  State,
  When,
} from '../../web/index.ts';
import { attempt, isLost } from '../frame/attempt.ts';
import { shopOf } from '../frame/session.ts';

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
async function enter(
  request: PageRequest,
  call: (options: CallOptions) => Promise<Schemas['CustomerSession']>,
): Promise<Outcome | null> {
  const client = shopOf(request);
  const once = request.sent._once?.[0];
  const send = (key = once) => attempt(call(key === undefined ? {} : { idempotencyKey: key }));
  const cart = client.session.cartToken;
  let entered = await send();
  if (!entered.ok && cart && isLost(entered.trouble)) {
    client.setSession({ cartToken: null });
    entered = await send(once && `${once}-alone`);
  }
  return entered.ok ? null : entered;
}

const Login = z.object({ email: z.string(), password: z.string() });

const login = async (request: PageRequest, person: z.output<typeof Login>): Promise<Outcome> => {
  const { customers } = shopOf(request);
  const refused = await enter(request, (options) => customers.login(person, options));
  return refused ?? { to: root, note: 'signed_in' };
};

const Register = Login.extend({ name: z.string() });

const register = async (request: PageRequest, person: z.output<typeof Register>): Promise<Outcome> => {
  const { customers } = shopOf(request);
  const refused = await enter(request, (options) => customers.register(person, options));
  return refused ?? { to: root, note: 'registered' };
};

async function logout(request: PageRequest): Promise<Outcome> {
  const client = shopOf(request);
  const ended = client.session.customerToken && (await attempt(client.customers.logout()));
  if (ended && !ended.ok && ended.trouble.code !== 'invalid_customer_token') return ended;
  // The cart belongs to the customer: the next login restores it.
  client.setSession({ cartToken: null, customerToken: null });
  return { to: '/demo', note: 'signed_out' };
}

/** The parcels of an order, with links to follow them. */
const Parcels = ({ of: parcels }: { of: Schemas['CustomerOrder']['fulfilments'] }) => (
  <>
    {parcels
      .filter(({ status }) => status !== 'cancelled')
      .map(({ status, tracking }) => {
        const label = [tracking?.carrier, tracking?.number].filter(Boolean).join(' ');
        return (
          <p class="hint">
            {status === 'delivered' ? 'Delivered' : 'Shipped'}{' '}
            {tracking?.url ? <a href={tracking.url}>{label || 'Follow the parcel'}</a> : label}
          </p>
        );
      })}
  </>
);

const OrderCard = ({ order }: { order: Schemas['CustomerOrder'] }) => (
  <li class="card">
    <h3>
      Order {order.number} <State is={order.status} />
    </h3>
    <p class="hint">
      <When at={order.created_at} />
    </p>
    <ul>
      {order.items.map(({ name, quantity, downloads = [] }) => (
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
    <Parcels of={order.fulfilments} />
    <p class="price">{formatMoney(order.totals.grand_total, order.currency, 'en')}</p>
  </li>
);

const accountPage = async (request: PageRequest) => {
  const { customers, session } = shopOf(request);
  if (!session.customerToken) return { to: `${root}/login` };
  const page = Number(request.query('page') || 1);
  const [me, orders] = await Promise.all([
    attempt(customers.getCurrent()),
    attempt(customers.listOrders({ limit: 10, page })),
  ]);
  if (!me.ok && me.trouble.code === 'invalid_customer_token') {
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
export const accountPages: readonly Page[] = [
  getPage(at(''), accountPage),
  getPage(at('/login'), loginPage),
  form({ ...at('/login'), form: Login }, loginPage, login),
  getPage(at('/register'), registerPage),
  form({ ...at('/register'), form: Register }, registerPage, register),
  form({ ...at('/logout'), form: z.object({}) }, accountPage, logout),
];
