import { inArray, sql } from 'drizzle-orm';
import type { RateLimit } from '../../kernel/async/rate-limit.ts';
import { BoundedMap } from '../../kernel/core/bounded-map.ts';
import { MAX_CLOCK_STEP_MS, MINUTE, now } from '../../kernel/core/clock.ts';
import { digest62, namingKeyVersion } from '../../kernel/crypto/crypto.ts';
import { deletes } from '../../kernel/data/chore.ts';
import { directory } from '../../kernel/data/database.ts';
import { connectingNetwork } from '../../kernel/http/client-ip.ts';
import { asFormError, type PageRequest } from '../page.ts';
import { knownDevice } from './sessions.ts';
import { panelGuesses } from './tables.ts';

/** A limit on sign-in attempts of one source. */
interface SignInThrottle extends RateLimit {
  readonly source: string;
}

/**
 * How long (ms) an isolate refuses a source again without asking the database, which an attacker could otherwise keep
 * busy.
 */
const REFUSAL_CACHE_MS = 1_000;
/** The most refused sources that an isolate remembers; the oldest are evicted. */
const MAX_REFUSED = 10_000;

/** Until when (ms) each source is refused. */
const refusals = new BoundedMap<string, number>(MAX_REFUSED);

/** Returns whether a source is refused until then (ms); not if a clock that was set back since has stored it. */
const isRefused = (until: number): boolean => until > now() && until <= now() + REFUSAL_CACHE_MS;

/** Returns the keyed digest that stands for a source: it names an address and an account, which can be guessed. */
const storedAs = (env: Env, source: string): string =>
  digest62({ env, version: namingKeyVersion(env), purpose: 'panel-guess' }, source, 22);

/**
 * Charges an attempt before it runs, and returns whether it may run. GCRA in one statement, so that concurrent
 * attempts can't exceed the limit.
 */
async function mayGuess(env: Env, { source, burst, intervalMs }: SignInThrottle): Promise<boolean> {
  const at = now();
  // One further ahead than charges lead was left by a clock that was set back since.
  const isStray = sql`${panelGuesses.until} > ${at + burst * intervalMs + MAX_CLOCK_STEP_MS}`;
  const rows = await directory(env)
    .insert(panelGuesses)
    .values({ source: storedAs(env, source), until: at + intervalMs })
    .onConflictDoUpdate({
      target: panelGuesses.source,
      set: { until: sql`iif(${isStray}, ${at}, max(${panelGuesses.until}, ${at})) + ${intervalMs}` },
      setWhere: sql`(${panelGuesses.until} <= ${at + (burst - 1) * intervalMs} OR ${isStray})`,
    })
    .returning({ until: panelGuesses.until });
  return rows.length > 0;
}

/** Resets the throttles of sources after a successful sign-in. */
export const forgiveGuesses = (env: Env, ...sources: readonly string[]): Promise<unknown> =>
  directory(env)
    .delete(panelGuesses)
    .where(
      inArray(
        panelGuesses.source,
        sources.map((source) => storedAs(env, source)),
      ),
    );

/** Sweep of expired sign-in throttles. */
export const forgetPanelGuesses = deletes(panelGuesses, () => sql`${panelGuesses.until} < ${now()}`);

/** Returns the network that sign-in attempts are counted by: an IPv4 address, or an IPv6 /64. */
export const signInNetwork = ({ c }: PageRequest): string => connectingNetwork(c) || 'here';

/** Charges an attempt to each source; returns a 429 outcome at the first source over its limit, else null. */
export async function rejectTooMany(
  request: PageRequest,
  throttles: readonly SignInThrottle[],
): Promise<ReturnType<typeof asFormError> | null> {
  const known = throttles.find(({ source }) => isRefused(refusals.get(source) ?? 0));
  if (known) return tooMany(known);
  for (const throttle of throttles) {
    if (await mayGuess(request.env, throttle)) continue;
    refusals.set(throttle.source, now() + REFUSAL_CACHE_MS);
    return tooMany(throttle);
  }
  return null;
}

const deviceSource = (device: string): string => `device:${device}`;

const pairOf = (request: PageRequest, account: string): string => `pair:${account}:${signInNetwork(request)}`;

/**
 * Returns the limits on guesses at the password of an account (see `accountName`), at the sign-in and behind a session
 * alike. Strangers' guesses from many networks don't hold up a browser that the account knows.
 */
export function passwordThrottles(request: PageRequest, account: string): readonly SignInThrottle[] {
  const device = knownDevice(request.c, account);
  return [
    { source: `network:${signInNetwork(request)}`, burst: 20, intervalMs: 6_000 },
    { source: pairOf(request, account), burst: 8, intervalMs: MINUTE },
    device === null
      ? { source: `account:${account}`, burst: 40, intervalMs: 30_000 }
      : { source: deviceSource(device), burst: 8, intervalMs: MINUTE },
  ];
}

/**
 * Resets the throttles of an account with the request's network, and of a browser that the account knows, after a
 * right password.
 */
export function forgivePassword(request: PageRequest, account: string): Promise<unknown> {
  const device = knownDevice(request.c, account);
  const known = device === null ? [] : [deviceSource(device)];
  return forgiveGuesses(request.env, pairOf(request, account), ...known);
}

function tooMany({ intervalMs }: SignInThrottle): ReturnType<typeof asFormError> {
  const { formError } = asFormError('Too many attempts. Wait a few minutes and try again.', 429);
  // The throttle allows one more attempt after each interval.
  return { formError: { ...formError, retryAfter: Math.ceil(intervalMs / 1000) } };
}
