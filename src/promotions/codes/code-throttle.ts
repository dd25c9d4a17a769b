import { and, eq, type SQL, sql } from 'drizzle-orm';
import { MAX_CLOCK_STEP_MS, MINUTE, now } from '../../kernel/core/clock.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import { digest62, namingKeyVersion } from '../../kernel/crypto/crypto.ts';
import { deletes } from '../../kernel/data/chore.ts';
import { run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { couponGuesses } from '../tables.ts';

/** The wrong codes per address in {@link WRONG_CODE_WINDOW_MS} after which further codes are rejected. */
const MAX_WRONG_CODES = 60;
const WRONG_CODE_WINDOW_MS = 15 * MINUTE;

/** The source of coupon codes: a keyed digest of the client's address; null if the address is unknown. */
type CodeSource = string | null;

/** Returns the source for a client address ("" if unknown). */
export const codeSource = (env: object, tenantId: number, address: string): CodeSource =>
  address === ''
    ? null
    : digest62(
        { env, version: namingKeyVersion(env), purpose: 'coupon-guesser' },
        `${tenantId}:${address}`,
        22,
      );

/** Builds the query for a source's wrong codes. */
export const wrongCodesFrom = ({ db, tenantId }: TenantDatabase, source: CodeSource) =>
  db
    .select()
    .from(couponGuesses)
    .where(and(eq(couponGuesses.tenantId, tenantId), eq(couponGuesses.address, source ?? '')));

/** Returns `rate_limited` if the source has reached the limit in the current window; else null. */
export function throttleError(rows: readonly (typeof couponGuesses.$inferSelect)[]): Failed | null {
  const [row] = rows;
  const at = now();
  const left = row ? row.since + WRONG_CODE_WINDOW_MS - at : 0;
  // A later window was begun by a clock that was set back since.
  if (!row || left <= 0 || row.since > at + MAX_CLOCK_STEP_MS || row.wrong < MAX_WRONG_CODES) return null;
  const retryAfter = Math.ceil(left / 1000);
  return fail('rate_limited', { message: 'Too many wrong coupon codes.', retryAfter });
}

/**
 * Returns the statement that counts a wrong code unless `found` has a row, and starts a new window if the last one is
 * over. In the batch that looks the code up: requests at the same time can't try more codes than the limit. No-op for
 * an unknown address.
 */
export function countWrongCode({ db, tenantId }: TenantDatabase, source: CodeSource, found: SQL): Statement {
  const at = now();
  const over = sql`(since <= ${at - WRONG_CODE_WINDOW_MS} OR since > ${at + MAX_CLOCK_STEP_MS})`;
  return run(
    db,
    sql`INSERT INTO coupon_guesses (tenant_id, address, wrong, since)
      SELECT ${tenantId}, ${source}, 1, ${at} WHERE ${source} IS NOT NULL AND NOT EXISTS (${found})
      ON CONFLICT DO UPDATE SET
        wrong = CASE WHEN ${over} THEN 1 ELSE wrong + 1 END, since = CASE WHEN ${over} THEN ${at} ELSE since END
        WHERE ${over} OR wrong < ${MAX_WRONG_CODES}`,
  );
}

/** Sweep of wrong-code counts of all tenants whose window is over. */
export const forgetGuesses = deletes(
  couponGuesses,
  () => sql`${couponGuesses.since} <= ${now() - WRONG_CODE_WINDOW_MS}`,
);
