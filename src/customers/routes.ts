import { iso } from '../kernel/core/clock.ts';
import { fail, ok } from '../kernel/core/result.ts';
import { buyerHeaders } from '../kernel/http/client-ip.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { changeMe, loadMe, logIn, register, resetPassword, takeCart } from './account.ts';
import { eraseMe } from './erase.ts';
import { customerExamples } from './examples.ts';
import { presentCustomer } from './present.ts';
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
import { sessionHash } from './sessions/guard.ts';
import { createReset } from './sessions/resets.ts';
import { endSession } from './sessions/store.ts';
import { mintToken } from './sessions/token.ts';
import { customerByEmail } from './store.ts';

const tag = 'Customers';
const access = 'customers:write';
const headers = buyerHeaders;
/** An earlier session's token, which identifies a device that logged in before. */
const deviceHeader = {
  'X-Customer-Token':
    'The token of an earlier session on this device, open or ended. A device that logged in to this account in the last 90 days is not delayed by failed attempts of others. An unknown token is ignored.',
};
const cartErrors = ['cart_not_found', 'cart_expired'] as const;

const registerCustomer = endpoint(
  {
    method: 'post',
    path: '/v1/customers/register',
    id: 'registerCustomer',
    tag,
    summary: 'Register a customer',
    description:
      'Creates the customer and opens a session. Send its `token` in `X-Customer-Token`. One network (IPv4 address or IPv6 /64) can register 10 customers at once and one more every 30 seconds. A tenant can register 60, 240 or 1,200 customers per minute, depending on the plan. Beyond these limits, responds with 429 and `Retry-After`.',
    access,
    headers,
    body: Register,
    status: 201,
    answer: Session,
    errors: ['email_taken', 'invalid_credentials', ...cartErrors],
    example: customerExamples.register,
  },
  (call) => register(call),
);

const login = endpoint(
  {
    method: 'post',
    path: '/v1/customers/login',
    id: 'loginCustomer',
    tag,
    summary: 'Log a customer in',
    description:
      "Responds the same way, in the same time, for a wrong password and an unknown e-mail. Failed attempts at one account are delayed with 429 and `Retry-After`: the first five without delay, later ones by up to 15 minutes. The last ten networks that the customer logged in from in the last 90 days, and devices that send an earlier session's token, are counted separately, so that failed attempts of others do not delay them. One network can make 20 failed attempts at once over all accounts, and one more every 6 seconds. Under load, a login waits for up to 2 seconds before it is rejected.",
    access,
    headers: { ...headers, ...deviceHeader },
    body: Login,
    answer: Session,
    errors: ['invalid_credentials', ...cartErrors],
    example: customerExamples.login,
  },
  (call) => logIn(call, call.body),
);

const logout = endpoint(
  {
    method: 'post',
    path: '/v1/customers/logout',
    id: 'logoutCustomer',
    tag,
    summary: 'Log a customer out',
    description: 'Ends the session. Succeeds for a session that has already ended (RFC 7009).',
    access,
    customer: 'own',
    answer: LoggedOut,
    example: customerExamples.logout,
  },
  async (call) => {
    const hash = sessionHash(call.c);
    if (!hash) return fail('invalid_customer_token');
    await endSession(call, hash);
    return ok({ logged_out: true as const });
  },
);

const me = endpoint(
  {
    method: 'get',
    path: '/v1/customers/me',
    id: 'getCurrentCustomer',
    tag,
    summary: 'Get the current customer',
    access,
    customer: 'required',
    answer: Customer,
    example: customerExamples.me,
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
    id: 'updateCurrentCustomer',
    tag,
    summary: 'Update the current customer',
    description:
      'A new `email` or `password` requires `current_password`, and ends all other sessions and password resets; the present `email` may be sent back without it. A wrong `current_password` responds with 401 `invalid_credentials` and counts as a failed login. A new `email` raises `customer.email_changed`, with which the tenant can notify the old address. `phone: null` removes the number.',
    access,
    customer: 'required',
    headers,
    body: CustomerPatch,
    answer: Customer,
    errors: ['invalid_credentials', 'email_taken', 'conflict'],
    example: customerExamples.patch,
  },
  (call) => changeMe(call),
);

const erase = endpoint(
  {
    method: 'delete',
    path: '/v1/customers/me',
    id: 'eraseCurrentCustomer',
    tag,
    summary: 'Erase the current customer',
    description:
      "Erases name, e-mail, phone and address (except its country) from all stored data: the account, carts, stored idempotent responses, checkout sessions, orders, events and webhook deliveries, including pending ones. Orders keep their line items and amounts, without the customer's own data in `options`. Responds with 503 when not all data could be reached; retry the request.",
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
    id: 'assignCustomerCart',
    tag,
    summary: 'Assign a cart to the current customer',
    description:
      "For a cart that was created during the session. Does what register and login do with `cart_token`: the customer's earlier cart is merged into this one. If this cart is locked by an order, the earlier cart stays the customer's. An open checkout of this cart stays valid unless the merge changed this cart: items or their ids, codes, the shipping method. What this cart could not take is in its `warnings`. Idempotent.",
    access,
    customer: 'required',
    body: OwnCart,
    answer: OwnCart,
    errors: cartErrors,
    example: customerExamples.putCart,
  },
  (call) => takeCart(call),
);

const requestReset = endpoint(
  {
    method: 'post',
    path: '/v1/customers/password-resets',
    id: 'createPasswordReset',
    tag,
    summary: 'Create a password reset',
    description:
      "Responds with a one-time token that expires after an hour, for the tenant to mail. Call it from the tenant's server, and show the shopper the same message whether or not the account exists.",
    access: 'customers:admin',
    body: ResetRequest,
    status: 201,
    answer: PasswordReset,
    errors: ['customer_not_found'],
    example: customerExamples.requestReset,
  },
  async (call) => {
    const { c, body } = call;
    const customer = await customerByEmail(call, body.email);
    if (!customer) return fail('customer_not_found');
    c.set('concerns', { customerId: customer.id });
    const { token, hash } = mintToken(call, 'pr');
    const expiresAt = await createReset(call, customer, hash);
    if (expiresAt === null) return fail('customer_not_found');
    return ok({ token, expires_at: iso(expiresAt), customer: presentCustomer(customer) });
  },
);

const reset = endpoint(
  {
    method: 'post',
    path: '/v1/customers/password-resets/{token}',
    id: 'resetPassword',
    tag,
    summary: 'Set a new password with a reset token',
    description:
      "Ends all sessions of the customer and opens a new one. Takes the shopper's `cart_token` along as a login does. Where that cart has expired, is gone or another customer's, nothing is changed: repeat the request without it.",
    access,
    headers,
    params: ResetParams,
    body: NewPassword,
    answer: Session,
    errors: ['not_found', 'invalid_credentials', ...cartErrors],
    example: customerExamples.reset,
  },
  (call) => resetPassword(call),
);

/** The endpoints for customer accounts, sessions and password resets. */
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
