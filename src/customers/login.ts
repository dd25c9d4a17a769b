import { buyerAddress } from '../kernel/address.ts';
import type { Call } from '../kernel/call.ts';
import { digest62, namingKeyVersion, sha256 } from '../kernel/crypto.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import type { Attempt, LoginGuard, Outcome } from './object.ts';

type Guard = DurableObjectStub<LoginGuard>;

/** The object that has the passwords of an account. */
export const guardOf = (env: Env, tenantId: number, email: string): Guard =>
  env.LOGIN_GUARD.getByName(`${tenantId}:${sha256(email)}`);

/**
 * Takes a password to the account's guard, with a digest of the shopper's address. Fails with
 * `invalid_credentials`, `email_taken`, or `rate_limited` when it comes too fast or too many are at it.
 */
export async function atGuard<Value>(
  { c, env, caller: { tenantId } }: Call,
  { email, password }: { readonly email: string; readonly password: string },
  ask: (guard: Guard, attempt: Attempt) => Promise<Outcome<Value>>,
): Promise<Result<Value>> {
  const from = buyerAddress(c);
  if (!from.ok) return from;
  const address = digest62(env, namingKeyVersion(env), 'buyer-address', from.value, 22);
  const outcome = await ask(guardOf(env, tenantId, email), { tenantId, email, password, address });
  if (outcome.ok) return ok(outcome.value);
  switch (outcome.reason) {
    case 'wrong':
      return fail('invalid_credentials');
    case 'taken':
      return fail('email_taken');
    case 'unavailable':
      return fail('unavailable');
    case 'too_fast':
      return tooFast(Math.ceil(outcome.retryIn / 1_000));
  }
}

const tooFast = (retryAfter: number): Result<never> =>
  fail('rate_limited', { retryAfter, message: `Too many attempts; try again in ${retryAfter} s.` });
