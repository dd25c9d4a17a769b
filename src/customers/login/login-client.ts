import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { digest62, namingKeyVersion, sha256 } from '../../kernel/crypto/crypto.ts';
import { buyerNetwork } from '../../kernel/http/client-ip.ts';
import type { Call } from '../../kernel/http/context.ts';
import { sessionHash } from '../guard.ts';
import type { Source } from './known-sources.ts';
import type { Attempt, LoginGuard, Outcome } from './login-guard.ts';

type Guard = DurableObjectStub<LoginGuard>;

/** A password that is tried, or becomes an account's; `session`: the hash of the session that it opens. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly session?: string;
}

/** Returns the object that has the passwords of an account. */
export const guardOf = (env: Env, tenantId: number, email: string): Guard =>
  env.LOGIN_GUARD.getByName(`${tenantId}:${sha256(email)}`);

/**
 * Returns where a call comes from: a digest of the shopper's network, and as the device the session whose token
 * it shows in `X-Customer-Token`, which need not be open any more. `validation_error` for a bad `X-Buyer-IP`.
 */
function sourceOf({ c, env }: Call): Result<Source> {
  const from = buyerNetwork(c);
  if (!from.ok) return from;
  const network = digest62(env, namingKeyVersion(env), 'buyer-address', from.value, 22);
  return ok({ network, device: sessionHash(c) });
}

/**
 * Takes a password to the account's guard. Fails with `invalid_credentials`, `email_taken`, or `rate_limited`
 * when it comes too fast or too many are at it.
 */
export async function callLoginGuard<Value>(
  call: Call,
  { email, password, session }: Credentials,
  ask: (guard: Guard, attempt: Attempt) => Promise<Outcome<Value>>,
): Promise<Result<Value>> {
  const { env, caller } = call;
  const source = sourceOf(call);
  if (!source.ok) return source;
  const outcome = await ask(guardOf(env, caller.tenantId, email), {
    ...source.value,
    tenantId: caller.tenantId,
    email,
    password,
    session: session ?? null,
    registrations: caller.registrationsPerMinute,
  });
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

/**
 * Lets an account's guard forget all but where this call comes from, with the session that it has or opened:
 * the account is new, or its password or e-mail is. If the guard can't be reached, its pace wears off by itself.
 */
export async function startAnew(call: Call, email: string, session: string): Promise<void> {
  const source = sourceOf(call);
  if (!source.ok) return;
  await guardOf(call.env, call.caller.tenantId, email)
    .startAnew({ ...source.value, device: session })
    .catch(() => undefined);
}

/** Lets the guard of an e-mail forget everything: it is no account's any more. */
export const forgetGuard = ({ env, caller }: Call, email: string): Promise<void> =>
  guardOf(env, caller.tenantId, email)
    .forget()
    .catch(() => undefined);
