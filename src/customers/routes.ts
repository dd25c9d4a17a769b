import { iso } from '../kernel/core/clock.ts';
import { fail, ok } from '../kernel/core/result.ts';
import { database } from '../kernel/data/database.ts';
import { buyerHeaders } from '../kernel/http/client-ip.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { changeMe, loadMe, logIn, register, resetPassword, takeCart } from './account.ts';
import { eraseMe } from './erase.ts';
import { sessionHash } from './guard.ts';
import { presentCustomer } from './present.ts';
import { createReset } from './resets.ts';
import {
  Customer,
  CustomerPatch,
  LoggedOut,
  Login,
  NewPassword,
  OwnCart,
  PasswordReset,
  Register,
  ResetParams,
  ResetRequest,
  Session,
} from './schemas.ts';
import { endSession } from './sessions.ts';
import { byEmail, findCustomer } from './store.ts';
import { mintToken } from './token.ts';

const tag = 'Customers';
const access = 'customers:write';
const headers = buyerHeaders;
/** A session's token as what shows that a device signed in before. */
const deviceHeader = {
  'X-Customer-Token':
    'The token of an earlier session on this device, open or not: a device that signed in to this account in the last 90 days is not held up by the wrong guesses of others. Anything else is ignored.',
};
const cart = ['cart_not_found', 'cart_expired'] as const;

const registerCustomer = endpoint(
  {
    method: 'post',
    path: '/v1/customers/register',
    tag,
    summary: 'Register a customer',
    description:
      "Opens a session as well: its `token` goes into `X-Customer-Token`. One network (IPv4 address, IPv6 /64) can register 10 customers at once and one more every 30 seconds, a tenant's networks together 60, 240 or 1,200 a minute by plan: 429 with `Retry-After`.",
    access,
    headers,
    body: Register,
    status: 201,
    answer: Session,
    errors: ['email_taken', 'invalid_credentials', ...cart],
  },
  (call) => register(call),
);

const login = endpoint(
  {
    method: 'post',
    path: '/v1/customers/login',
    tag,
    summary: 'Log a customer in',
    description:
      "Answers the same, in the same time, for a wrong password and an unknown e-mail. Guesses at one account are slowed down ever more (429 with `Retry-After`): the first five cost no waiting, later ones up to 15 minutes. Networks from which the customer signed in in the last 90 days (the last ten), and devices that show an earlier session's token, are counted apart, so that a stranger's guesses don't hold them up. One network has 20 wrong guesses at once over all accounts, and one more every 6 seconds. When many people log in at once, a login waits up to 2 seconds before it is refused.",
    access,
    headers: { ...headers, ...deviceHeader },
    body: Login,
    answer: Session,
    errors: ['invalid_credentials', ...cart],
  },
  (call) => logIn(call, call.body),
);

const logout = endpoint(
  {
    method: 'post',
    path: '/v1/customers/logout',
    tag,
    summary: 'Log a customer out',
    description: 'Ends the session. One that has ended already is fine (RFC 7009).',
    access,
    customer: 'own',
    answer: LoggedOut,
  },
  async ({ c, env, caller }) => {
    const hash = sessionHash(c);
    if (!hash) return fail('invalid_customer_token');
    await endSession(database(env), caller.tenantId, hash);
    return ok({ logged_out: true as const });
  },
);

const me = endpoint(
  {
    method: 'get',
    path: '/v1/customers/me',
    tag,
    summary: 'The customer whose session it is',
    access,
    customer: 'required',
    answer: Customer,
  },
  async (call) => {
    const found = await loadMe(call);
    return found.ok ? ok(presentCustomer(found.value)) : found;
  },
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/customers/me',
    tag,
    summary: 'Change the customer whose session it is',
    description:
      'A new `email` or `password` takes `current_password` (a wrong one is 401 `invalid_credentials`, and counts as a wrong login), and ends all other sessions and password resets. A new `email` raises `customer.email_changed`, so that the old address can be told. `phone: null` takes the number away.',
    access,
    customer: 'required',
    headers,
    body: CustomerPatch,
    answer: Customer,
    errors: ['invalid_credentials', 'email_taken', 'conflict'],
  },
  (call) => changeMe(call),
);

const erase = endpoint(
  {
    method: 'delete',
    path: '/v1/customers/me',
    tag,
    summary: 'Erase the customer whose session it is',
    description:
      'Takes name, e-mail, phone and address (but for its country) out of everything that is stored: the account, carts and kept answers, checkout sessions, orders, events and the logs of webhooks, what is still to be sent included. Orders keep what was sold and paid, with the options of their lines. 503 when something could not be reached: ask again.',
    access,
    customer: 'required',
    status: 204,
    errors: ['unavailable'],
  },
  (call) => eraseMe(call),
);

const putCart = endpoint(
  {
    method: 'put',
    path: '/v1/customers/me/cart',
    tag,
    summary: "Make a cart the customer's",
    description:
      'For a cart that was made while the session was open: what register and login do with `cart_token`. What is in an older cart of the customer is merged into it; beside a cart that is ordered the older one stays theirs. A checkout of the cart that is open goes on, unless something was merged. May be repeated.',
    access,
    customer: 'required',
    body: OwnCart,
    answer: OwnCart,
    errors: cart,
  },
  (call) => takeCart(call),
);

const requestReset = endpoint(
  {
    method: 'post',
    path: '/v1/customers/password-resets',
    tag,
    summary: 'Make a password reset',
    description:
      "Answers a token, good once and for an hour, for the tenant to mail. For the tenant's server: tell the shopper the same whether there is an account or not.",
    access: 'customers:admin',
    body: ResetRequest,
    status: 201,
    answer: PasswordReset,
    errors: ['customer_not_found'],
  },
  async ({ c, env, caller, body }) => {
    const db = database(env);
    const customer = await findCustomer(db, byEmail(caller.tenantId, body.email));
    if (!customer) return fail('customer_not_found');
    c.set('concerns', customer.id);
    const { token, hash } = mintToken(env, caller.tenantId, 'pr');
    const expiresAt = await createReset(db, caller.tenantId, customer.id, hash);
    return ok({ token, expires_at: iso(expiresAt), customer: presentCustomer(customer) });
  },
);

const reset = endpoint(
  {
    method: 'post',
    path: '/v1/customers/password-resets/{token}',
    tag,
    summary: 'Set a new password with a reset',
    description: 'Ends all sessions of the customer and opens one.',
    access,
    headers,
    params: ResetParams,
    body: NewPassword,
    answer: Session,
    errors: ['not_found', 'invalid_credentials'],
  },
  (call) => resetPassword(call),
);

/** Customers: accounts, sessions, password resets. */
export const customerEndpoints: readonly Endpoint[] = [
  registerCustomer,
  login,
  logout,
  me,
  patch,
  erase,
  putCart,
  requestReset,
  reset,
];
