import { type Call, customerOf } from '../kernel/call.ts';
import { database } from '../kernel/database.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { forgetCustomer } from '../orders/index.ts';
import { bindTo, forgetCarts, forgetInCarts, freeCart, tellCart } from './carts.ts';
import { atGuard, guardOf } from './login.ts';
import { presentCustomer } from './present.ts';
import { findReset, useReset } from './resets.ts';
import type {
  Customer,
  CustomerPatch,
  Login,
  NewPassword,
  OwnCart,
  Register,
  ResetParams,
  Session,
} from './schemas.ts';
import { openSession } from './sessions.ts';
import { byId, findCustomer } from './store.ts';
import type { CustomerRow } from './tables.ts';
import { mintToken, readToken } from './token.ts';
import { changeCustomer, createCustomer, eraseCustomer } from './write.ts';

/** Opens a session for a customer whose password was checked, with their cart. */
async function sessionFor(call: Call, row: CustomerRow, cart?: string | null): Promise<Result<Session>> {
  const { env, caller } = call;
  const bound = await bindTo(call, row, cart);
  if (!bound.ok) return bound;
  const { token, hash } = mintToken(env, caller.tenantId, 'cs');
  const opened = await openSession(database(env), row, hash);
  return opened ? ok(present(token, row, bound.value)) : fail('invalid_credentials');
}

const present = (token: string, row: CustomerRow, cart: string | null): Session => ({
  token,
  customer: presentCustomer(row),
  cart_token: cart,
});

/** Logs in: `invalid_credentials` for a wrong password and an unknown e-mail alike. */
export async function logIn(call: Call, body: Login): Promise<Result<Session>> {
  const { env, caller } = call;
  const verified = await atGuard(call, body, (guard, attempt) => guard.verify(attempt));
  if (!verified.ok) return verified;
  const row = await findCustomer(database(env), byId(caller.tenantId, verified.value.id));
  const { password } = verified.value;
  return row ? sessionFor(call, { ...row, password }, body.cart_token) : fail('invalid_credentials');
}

/** Makes an account and opens its first session. A retry whose first run got that far logs in. */
export async function register(call: Call<unknown, unknown, Register>): Promise<Result<Session>> {
  const { env, caller, body, once } = call;
  if (once.ref !== null) return logIn(call, body);
  const { email, name, phone = null, cart_token: cart } = body;
  const free = typeof cart === 'string' ? await freeCart(call, cart) : ok(undefined);
  if (!free.ok) return free;
  const hashed = await atGuard(call, body, (guard, attempt) => guard.enroll(attempt));
  if (!hashed.ok) return hashed;
  const { token, hash } = mintToken(env, caller.tenantId, 'cs');
  const input = { email, name, phone, password: hashed.value };
  const made = await createCustomer(database(env), caller.tenantId, input, hash, once.mark('registered'));
  if (!made.ok) return made;
  // The account is made: a cart that somebody else took a moment ago doesn't make that a failure.
  const bound = await bindTo(call, made.value, cart);
  return ok(present(token, made.value, bound.ok ? bound.value : null));
}

/** The customer whose session it is. */
export async function loadMe(call: Call): Promise<Result<CustomerRow>> {
  const { env, caller } = call;
  const row = await findCustomer(database(env), byId(caller.tenantId, customerOf(call).customerId));
  return row ? ok(row) : fail('invalid_customer_token');
}

/** Makes a cart the customer's whose session it is, as a login with it would. */
export async function takeCart(call: Call<unknown, unknown, OwnCart>): Promise<Result<OwnCart>> {
  const me = await loadMe(call);
  if (!me.ok) return me;
  const bound = await bindTo(call, me.value, call.body.cart_token);
  return bound.ok ? ok(call.body) : bound;
}

/** Changes what is named; a new password takes the current one, and ends all other sessions. */
export async function changeMe(call: Call<unknown, unknown, CustomerPatch>): Promise<Result<Customer>> {
  const me = await loadMe(call);
  if (!me.ok) return me;
  const { password, current_password: current = '', ...changes } = call.body;
  const secret = password === undefined ? ok(null) : await newPassword(call, me.value, current, password);
  if (!secret.ok) return secret;
  const before = secret.value ? { ...me.value, password: secret.value.former } : me.value;
  const after = secret.value ? { ...changes, password: secret.value.fresh } : changes;
  const changed = await changeCustomer(database(call.env), before, after, customerOf(call).hash);
  if (!changed.ok) return changed;
  if (changes.email !== undefined) await tellCart(call, changed.value);
  return ok(presentCustomer(changed.value));
}

/** The hashes of the current password, which is checked, and of the new one. */
async function newPassword(
  call: Call,
  { email }: CustomerRow,
  current: string,
  next: string,
): Promise<Result<{ former: string; fresh: string }>> {
  const verified = await atGuard(call, { email, password: current }, (guard, attempt) =>
    guard.verify(attempt),
  );
  if (!verified.ok) return verified;
  const hashed = await atGuard(call, { email, password: next }, (guard, attempt) => guard.hash(attempt));
  return hashed.ok ? ok({ former: verified.value.password, fresh: hashed.value }) : hashed;
}

/** Erases the customer whose session it is. */
export async function eraseMe(call: Call): Promise<Result<undefined>> {
  const me = await loadMe(call);
  if (!me.ok) return me;
  const db = database(call.env);
  const { tenantId, id } = me.value;
  // The carts first: whatever dies before the batch, the session is still there to ask again.
  await forgetInCarts(call.env, db, me.value);
  await eraseCustomer(db, me.value, [forgetCarts(db, me.value), forgetCustomer(db, tenantId, id)]);
  await forgive(call, me.value);
  return ok(undefined);
}

/** Sets a new password with the token of a reset, which ends all sessions, and opens one. */
export async function resetPassword(call: Call<ResetParams, unknown, NewPassword>): Promise<Result<Session>> {
  const { env, caller, params, body, once } = call;
  const { tenantId } = caller;
  const db = database(env);
  const hash = readToken(env, tenantId, 'pr', params.token);
  if (!hash) return NO_RESET;
  if (once.ref !== null) {
    const row = await findCustomer(db, byId(tenantId, Number(once.ref)));
    return row ? sessionFor(call, row) : NO_RESET;
  }
  const customer = await findReset(db, tenantId, hash);
  if (!customer) return NO_RESET;
  const login = { email: customer.email, password: body.password };
  const hashed = await atGuard(call, login, (guard, attempt) => guard.hash(attempt));
  if (!hashed.ok) return hashed;
  const session = mintToken(env, tenantId, 'cs');
  const reset = { hash, password: hashed.value, session: session.hash };
  if (!(await useReset(db, customer, reset, once.mark(String(customer.id))))) return NO_RESET;
  await forgive(call, customer);
  const cart = await bindTo(call, customer, null);
  return cart.ok ? ok(present(session.token, customer, cart.value)) : cart;
}

const NO_RESET = fail('not_found', { message: 'The link is wrong, was used before, or has expired.' });

/** Lets the account's guard forget wrong guesses; if it can't be told, the pace wears off by itself. */
const forgive = ({ env, caller }: Call, { email }: CustomerRow): Promise<void> =>
  guardOf(env, caller.tenantId, email)
    .forgive()
    .catch(() => undefined);
