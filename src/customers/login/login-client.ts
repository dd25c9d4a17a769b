import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { digest62, namingKeyVersion, sha256 } from '../../kernel/crypto/crypto.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { buyerNetwork } from '../../kernel/http/client-ip.ts';
import type { Call } from '../../kernel/http/context.ts';
import { sessionHash } from '../sessions/guard.ts';
import type { Source } from './known-sources.ts';
import type { Attempt, LoginGuard, Outcome } from './login-guard.ts';

type Guard = DurableObjectStub<LoginGuard>;

/** A password to check or to set; `session` is the hash of the session that a successful login opens. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly session?: string;
}

/** Returns the LoginGuard object of an account. */
const guardOf = ({ env, tenantId }: TenantContext, email: string): Guard =>
  tenantObject(env.LOGIN_GUARD, { tenantId, name: `${tenantId}:${sha256(email)}` });

/**
 * Returns the source of a call: a digest of the shopper's network, and as the device the session (open or ended)
 * in `X-Customer-Token`. Fails with `validation_error` for an invalid `X-Buyer-IP`.
 */
function sourceOf({ c, env }: Call): Result<Source> {
  const from = buyerNetwork(c);
  if (!from.ok) return from;
  const network = digest62({ env, version: namingKeyVersion(env), purpose: 'buyer-address' }, from.value, 22);
  return ok({ network, device: sessionHash(c) });
}

/**
 * Calls the account's guard with a password. Fails with `invalid_credentials`, `email_taken`, `unavailable`, or
 * `rate_limited` for attempts that are too frequent or while the tenant's gate is full.
 */
export async function callLoginGuard<Value>(
  call: Call,
  { email, password, session }: Credentials,
  ask: (guard: Guard, attempt: Attempt) => Promise<Outcome<Value>>,
): Promise<Result<Value>> {
  const { caller, tenantId } = call;
  const source = sourceOf(call);
  if (!source.ok) return source;
  const outcome = await ask(guardOf(call, email), {
    ...source.value,
    tenantId,
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
      return rateLimited(Math.ceil(outcome.retryIn / 1_000));
  }
}

const rateLimited = (retryAfter: number): Result<never> =>
  fail('rate_limited', { retryAfter, message: `Too many attempts; try again in ${retryAfter} s.` });

/**
 * Resets an account's guard to know only this call's network and session, after a registration or a new password
 * or e-mail. A failed call is ignored: the guard's state expires by itself.
 */
export async function resetGuard(call: Call, email: string, session: string): Promise<void> {
  const source = sourceOf(call);
  if (!source.ok) return;
  await guardOf(call, email)
    .startAnew({ ...source.value, device: session })
    .catch(() => undefined);
}

/** Deletes the state of an e-mail's guard, when no account has the e-mail any more. */
export const forgetGuard = (ctx: TenantContext, email: string): Promise<void> =>
  guardOf(ctx, email)
    .forget()
    .catch(() => undefined);
