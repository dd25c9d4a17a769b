import { and, eq, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { type Failed, fail } from '../kernel/core/result.ts';
import { digest62, namingKeyVersion } from '../kernel/crypto/crypto.ts';
import type { Database } from '../kernel/data/database.ts';
import { couponGuesses } from './tables.ts';

/** So many wrong codes may come from one address in a window of so long (ms). */
const MOST_WRONG = 60;
export const GUESS_WINDOW_MS = 15 * 60_000;

/** Who tries codes: an address of one tenant's shop, as a keyed digest; `null` where it isn't known. */
export interface CodeSource {
  readonly tenantId: number;
  readonly address: string | null;
}

/** The guesser at an address ("" where it is unknown). */
export const codeSourceAt = (env: object, tenantId: number, address: string): CodeSource => ({
  tenantId,
  address:
    address === ''
      ? null
      : digest62(env, namingKeyVersion(env), 'coupon-guesser', `${tenantId}:${address}`, 22),
});

const mine = ({ tenantId, address }: CodeSource) =>
  and(eq(couponGuesses.tenantId, tenantId), eq(couponGuesses.address, address ?? ''));

/** The query for what a guesser got wrong lately. */
export const guessesOf = (db: Database, guesser: CodeSource) =>
  db.select().from(couponGuesses).where(mine(guesser));

/** The refusal of who has guessed too often in this window. */
export function tooManyGuesses(rows: readonly (typeof couponGuesses.$inferSelect)[]): Failed | null {
  const [row] = rows;
  const left = row ? row.since + GUESS_WINDOW_MS - now() : 0;
  if (!row || left <= 0 || row.wrong < MOST_WRONG) return null;
  const retryAfter = Math.ceil(left / 1000);
  return fail('rate_limited', { message: 'Too many wrong coupon codes.', retryAfter });
}

/** Counts a wrong code; a window that is over begins anew. */
export async function noteGuess(db: Database, guesser: CodeSource): Promise<void> {
  const { tenantId, address } = guesser;
  if (address === null) return;
  const at = now();
  const over = sql`${couponGuesses.since} <= ${at - GUESS_WINDOW_MS}`;
  await db
    .insert(couponGuesses)
    .values({ tenantId, address, wrong: 1, since: at })
    .onConflictDoUpdate({
      target: [couponGuesses.tenantId, couponGuesses.address],
      set: {
        wrong: sql`CASE WHEN ${over} THEN 1 ELSE ${couponGuesses.wrong} + 1 END`,
        since: sql`CASE WHEN ${over} THEN ${at} ELSE ${couponGuesses.since} END`,
      },
    });
}
