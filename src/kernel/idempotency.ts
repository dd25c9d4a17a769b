import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Call, Once, Reply } from './call.ts';
import { now } from './clock.ts';
import { randomBase62, seal, sha256, unseal } from './crypto.ts';
import { type Database, database, must } from './database.ts';
import { fail } from './result.ts';
import { idempotencyKeys } from './tables.ts';

const DAY = 24 * 3600_000;
/** A run that has not finished after this long is taken for dead, and a retry may take its place. */
const LOCK = 60_000;
const PURPOSE = 'idempotency';

type Key = { tenantId: number; applicationId: number; key: string };

/** A call without a key: nothing is noted. */
export const WITHOUT_KEY: Once = { ref: null, mark: () => [] };

/**
 * Runs `handler` once for the Idempotency-Key of the call (IETF draft-ietf-httpapi-idempotency-key-header).
 * The same key and body get the same answer for 24 hours; another body is 422; while the first runs, 409.
 * Statuses that say "try again differently" (401, 403, 422, 429, 5xx) are not kept.
 */
export async function idempotent(
  call: Call,
  key: string,
  scope: { tenantId: number; applicationId: number },
  handler: (once: Once) => Promise<Response>,
): Promise<Response | Reply<never>> {
  const { c, env } = call;
  const db = database(env);
  const url = new URL(c.req.url);
  const row: Key = { ...scope, key: sha256(`${c.req.method}\n${url.pathname}\n${key}`) };
  const fingerprint = sha256(`${url.search}\n${c.get('bodyText') ?? ''}`);
  const owner = randomBase62(16);
  const claim = await claimKey(db, row, fingerprint, owner);
  if (claim.fingerprint !== fingerprint) return fail('idempotency_key_reused');
  if (claim.answer !== null) return replay(await unseal(env, PURPOSE, claim.answer), c.res.headers);
  if (claim.owner !== owner) return fail('idempotency_in_progress', { retryAfter: 1 });
  const response = await handler({ ref: claim.ref, mark: (ref) => mark(db, row, owner, ref) });
  await settle(call, db, row, owner, response);
  return response;
}

/** Takes the key for `owner` unless a live run holds it; answers the row as it is then. */
async function claimKey(db: Database, row: Key, fingerprint: string, owner: string) {
  const at = now();
  const lockedUntil = at + LOCK;
  const [, , rows] = await db.batch([
    db.delete(idempotencyKeys).where(and(same(row), lt(idempotencyKeys.createdAt, at - DAY))),
    db
      .insert(idempotencyKeys)
      .values({ ...row, fingerprint, owner, lockedUntil, createdAt: at })
      .onConflictDoUpdate({
        target: [idempotencyKeys.tenantId, idempotencyKeys.applicationId, idempotencyKeys.key],
        set: { owner, lockedUntil },
        setWhere: sql`${idempotencyKeys.answer} IS NULL AND ${idempotencyKeys.lockedUntil} < ${at}
          AND ${idempotencyKeys.fingerprint} = ${fingerprint}`,
      }),
    db.select().from(idempotencyKeys).where(same(row)),
  ]);
  const [claim] = rows;
  if (!claim) throw new Error('An idempotency key vanished while it was claimed');
  return claim;
}

const same = (row: Key) =>
  and(
    eq(idempotencyKeys.tenantId, row.tenantId),
    eq(idempotencyKeys.applicationId, row.applicationId),
    eq(idempotencyKeys.key, row.key),
  );

function mark(db: Database, row: Key, owner: string, ref: string) {
  const mine = and(same(row), eq(idempotencyKeys.owner, owner), isNull(idempotencyKeys.ref));
  return [
    must(db, sql`EXISTS (SELECT 1 FROM ${idempotencyKeys} WHERE ${mine})`),
    db.update(idempotencyKeys).set({ ref }).where(mine),
  ];
}

/** Keeps the answer, or lets the key go when the answer is one that a retry should not get again. */
async function settle(call: Call, db: Database, row: Key, owner: string, response: Response) {
  const { status } = response;
  const mine = and(same(row), eq(idempotencyKeys.owner, owner));
  if (status >= 500 || [401, 403, 422, 429].includes(status)) {
    // A run that committed stays marked, so that its retry does not write twice.
    await db.batch([
      db.delete(idempotencyKeys).where(and(mine, isNull(idempotencyKeys.ref))),
      db.update(idempotencyKeys).set({ lockedUntil: 0 }).where(mine),
    ]);
    return;
  }
  const headers = Object.fromEntries(
    ['content-type', 'x-catalog-version', 'location'].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const kept = JSON.stringify({ status, headers, body: await response.clone().text() });
  await db
    .update(idempotencyKeys)
    .set({ answer: await seal(call.env, PURPOSE, kept) })
    .where(mine);
}

/** The kept answer, marked as a replay; `now` are the headers of this request's own guards. */
function replay(kept: string, guardHeaders: Headers): Response {
  // Sealed by settle() above, under a key that only this service has.
  const answer = JSON.parse(kept) as { status: number; headers: Record<string, string>; body: string };
  const headers = new Headers(guardHeaders);
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, value);
  headers.set('idempotent-replayed', 'true');
  return new Response(answer.body || null, { status: answer.status, headers });
}

/** Forgets keys older than 24 hours. */
export const forgetOldKeys = (db: Database) =>
  db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, now() - DAY));
