import { type Failed, fail, invalid, ok, type Result } from '../kernel/core/result.ts';
import { type Call, customerOf } from '../kernel/http/context.ts';
import { assignCart, checkUnowned, sendEmailToCart } from './carts/assign-cart.ts';
import { callLoginGuard, forgetGuard, resetGuard } from './login/login-client.ts';
import { presentCustomer } from './present.ts';
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
import { findReset, useReset } from './sessions/resets.ts';
import { openSession } from './sessions/store.ts';
import { type MintedToken, mintToken, readToken } from './sessions/token.ts';
import { customerById } from './store.ts';
import type { CustomerRow } from './tables.ts';
import { changeCustomer, createCustomer } from './write-account.ts';

/** Opens a session for a customer whose password was checked, and binds the cart. */
async function sessionFor(
  call: Call,
  row: CustomerRow,
  { minted, cart }: { readonly minted: MintedToken; readonly cart?: string | null | undefined },
): Promise<Result<Session>> {
  const bound = await assignCart(call, row, cart);
  if (!bound.ok) return bound;
  const opened = await openSession(call, row, minted.hash);
  if (!opened) return fail('invalid_credentials');
  return ok(sessionResponse(call, row, { token: minted.token, cart: bound.value }));
}

/** Returns the session's response body, and marks the stored idempotent response as this customer's data. */
function sessionResponse(
  { c }: Call,
  row: CustomerRow,
  { token, cart }: { readonly token: string; readonly cart: string | null },
): Session {
  c.set('concerns', { customerId: row.id });
  return { token, customer: presentCustomer(row), cart_token: cart };
}

/** Logs in. Fails with `invalid_credentials` for both a wrong password and an unknown e-mail. */
export async function logIn(call: Call, body: Login): Promise<Result<Session>> {
  const { email, password: attempted } = body;
  const minted = mintToken(call, 'cs');
  const credentials = { email, password: attempted, session: minted.hash };
  const verified = await callLoginGuard(call, credentials, (guard, attempt) => guard.verify(attempt));
  if (!verified.ok) return verified;
  const row = await customerById(call, verified.value.id);
  const { password } = verified.value;
  if (row?.email !== email) return fail('invalid_credentials');
  return sessionFor(call, { ...row, password }, { minted, cart: body.cart_token });
}

/** Creates an account and opens its first session. A retry logs in if the first run created the account. */
export async function register(call: Call<unknown, unknown, Register>): Promise<Result<Session>> {
  const { body, once } = call;
  if (once.ref !== null) return logIn(call, body);
  const { email, name, phone = null, cart_token: cart } = body;
  const free = typeof cart === 'string' ? await checkUnowned(call, cart) : ok(undefined);
  if (!free.ok) return free;
  const hashed = await callLoginGuard(call, body, (guard, attempt) => guard.enroll(attempt));
  if (!hashed.ok) return hashed;
  const { token, hash } = mintToken(call, 'cs');
  const input = { email, name, phone, password: hashed.value };
  const made = await createCustomer(call, {
    fields: input,
    sessionHash: hash,
    statements: once.mark('registered'),
  });
  if (!made.ok) return made;
  await resetGuard(call, email, hash);
  // The account exists now, so a cart that another login took in the meantime is not an error.
  const bound = await assignCart(call, made.value, cart);
  return ok(sessionResponse(call, made.value, { token, cart: bound.ok ? bound.value : null }));
}

/** Returns the customer of the request's session. */
export async function loadMe(call: Call): Promise<Result<CustomerRow>> {
  const row = await customerById(call, customerOf(call).customerId);
  return row ? ok(row) : fail('invalid_customer_token');
}

/** Assigns a cart to the session's customer, as a login with `cart_token` does. */
export async function takeCart(call: Call<unknown, unknown, OwnCart>): Promise<Result<OwnCart>> {
  const me = await loadMe(call);
  if (!me.ok) return me;
  const bound = await assignCart(call, me.value, call.body.cart_token);
  if (!bound.ok) return bound;
  return bound.value === null ? fail('invalid_customer_token') : ok(call.body);
}

const CURRENT_PASSWORD_REQUIRED = invalid('current_password', 'is required to change the e-mail or password');

/**
 * Updates the given fields. A new e-mail or password requires the current password and ends all other sessions.
 * A new e-mail raises `customer.email_changed`.
 */
export async function changeMe(call: Call<unknown, unknown, CustomerPatch>): Promise<Result<Customer>> {
  const me = await loadMe(call);
  if (!me.ok) return me;
  const { password, current_password: current, ...changes } = call.body;
  const needsPassword = password !== undefined || (changes.email ?? me.value.email) !== me.value.email;
  const hashes: Result<PasswordHashes> = needsPassword
    ? await verifyAndHash(call, me.value, { current, next: password })
    : ok({});
  if (!hashes.ok) return await refusalFor(call, me.value, hashes);
  const { former = me.value.password, fresh } = hashes.value;
  const { hash } = customerOf(call);
  const before = { ...me.value, password: former };
  const changed = await changeCustomer(call, before, {
    changes: { ...changes, password: fresh },
    session: hash,
  });
  if (!changed.ok) return changed;
  const { email } = changed.value;
  const emailChanged = email !== before.email;
  if (emailChanged || fresh !== undefined) await resetGuard(call, email, hash);
  if (emailChanged) await forgetGuard(call, before.email);
  if (changes.email !== undefined) await sendEmailToCart(call, changed.value);
  return ok(presentCustomer(changed.value));
}

/** Returns a refusal of a password, or `conflict` if it was looked up under an e-mail that the account no longer has. */
async function refusalFor(call: Call, { email }: CustomerRow, refused: Failed): Promise<Failed> {
  const me = refused.failure.code === 'invalid_credentials' ? await loadMe(call) : null;
  return me?.ok && me.value.email !== email ? fail('conflict') : refused;
}

/** The hashes of the current password and of the new one, where they were needed. */
interface PasswordHashes {
  readonly former?: string;
  readonly fresh?: string;
}

/** Checks the current password, without which it fails. Returns its stored hash, which may be upgraded, and the hash of the new one. */
async function verifyAndHash(
  call: Call,
  { email }: CustomerRow,
  { current, next }: { readonly current: string | undefined; readonly next: string | undefined },
): Promise<Result<PasswordHashes>> {
  if (current === undefined) return CURRENT_PASSWORD_REQUIRED;
  const credentials = { email, password: current };
  const verified = await callLoginGuard(call, credentials, (guard, attempt) => guard.verify(attempt));
  if (!verified.ok) return verified;
  const former = verified.value.password;
  if (next === undefined) return ok({ former });
  const hashed = await callLoginGuard(call, { email, password: next }, (guard, attempt) =>
    guard.hash(attempt),
  );
  return hashed.ok ? ok({ former, fresh: hashed.value }) : hashed;
}

/**
 * Sets a new password with a reset token, ends all sessions and opens a new one, and binds the cart. A retry logs in with
 * the password if the first run has set it.
 */
export async function resetPassword(call: Call<ResetParams, unknown, NewPassword>): Promise<Result<Session>> {
  const { params, body, once } = call;
  const hash = readToken(call, 'pr', params.token);
  if (!hash) return NO_RESET;
  if (once.ref !== null) {
    const row = await customerById(call, Number(once.ref));
    if (!row) return NO_RESET;
    return logIn(call, { ...body, email: row.email });
  }
  const customer = await findReset(call, hash);
  if (!customer) return NO_RESET;
  const { cart_token: cart } = body;
  // Before the token is used, which it can be only once.
  const free = typeof cart === 'string' ? await checkUnowned(call, cart, customer.id) : ok(undefined);
  if (!free.ok) return free;
  const login = { email: customer.email, password: body.password };
  const hashed = await callLoginGuard(call, login, (guard, attempt) => guard.hash(attempt));
  if (!hashed.ok) return hashed;
  const session = mintToken(call, 'cs');
  const statements = once.mark(String(customer.id));
  const redemption = { hash, password: hashed.value, session: session.hash, statements };
  if (!(await useReset(call, customer, redemption))) return NO_RESET;
  await resetGuard(call, customer.email, session.hash);
  const bound = await assignCart(call, customer, cart);
  return ok(sessionResponse(call, customer, { token: session.token, cart: bound.ok ? bound.value : null }));
}

const NO_RESET = fail('not_found', {
  message: 'The reset token is invalid, was already used, or has expired.',
});
