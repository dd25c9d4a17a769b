import { and, eq, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { type Failed, fail } from '../kernel/core/result.ts';
import { digest62, namingKeyVersion } from '../kernel/crypto/crypto.ts';
import type { Database } from '../kernel/data/database.ts';
import { couponGuesses } from './tables.ts';

/** The wrong codes per address and {@link GUESS_WINDOW_MS} after which further codes are rejected. */
const MAX_WRONG_CODES = 60;
export const GUESS_WINDOW_MS = 15 * 60_000;

/** The source of coupon codes: a tenant and a keyed digest of the client's address; null if unknown. */
export interface CodeSource {
  readonly tenantId: number;
  readonly address: string | null;
}

/** Returns the source for a client address ("" if unknown). */
export const codeSourceAt = (env: object, tenantId: number, address: string): CodeSource => ({
  tenantId,
  address:
    address === ''
      ? null
      : digest62(
          { env, version: namingKeyVersion(env), purpose: 'coupon-guesser' },
          `${tenantId}:${address}`,
          22,
        ),
});

const bySource = ({ tenantId, address }: CodeSource) =>
  and(eq(couponGuesses.tenantId, tenantId), eq(couponGuesses.address, address ?? ''));

/** Builds the query for a source's wrong codes. */
export const wrongCodesOf = (db: Database, source: CodeSource) =>
  db.select().from(couponGuesses).where(bySource(source));

/** Returns `rate_limited` if the source has reached the limit in the current window; else null. */
export function throttleError(rows: readonly (typeof couponGuesses.$inferSelect)[]): Failed | null {
  const [row] = rows;
  const left = row ? row.since + GUESS_WINDOW_MS - now() : 0;
  if (!row || left <= 0 || row.wrong < MAX_WRONG_CODES) return null;
  const retryAfter = Math.ceil(left / 1000);
  return fail('rate_limited', { message: 'Too many wrong coupon codes.', retryAfter });
}

/** Counts a wrong code; starts a new window if the last one is over. No-op for an unknown address. */
export async function countWrongCode(db: Database, source: CodeSource): Promise<void> {
  const { tenantId, address } = source;
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
