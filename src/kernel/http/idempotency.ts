import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { DAY, now } from '../core/clock.ts';
import { log } from '../core/log.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { Digest, hmac, keyVersions, randomBase62, seal, sha256, unseal } from '../crypto/crypto.ts';
import { deletes } from '../data/chore.ts';
import {
  assertInBatch,
  type Database,
  directory,
  guardFailed,
  jsonList,
  namedBatch,
  type Statement,
} from '../data/database.ts';
import { idempotencyKeys } from '../data/tables.ts';
import type { TenantDatabase } from '../data/tenant-context.ts';
import type { Upload } from './body.ts';
import type { App, Call, IdempotencyScope, Reply } from './context.ts';
import { type HeaderFields, respond } from './response.ts';

/** A run that takes longer than this (ms) counts as crashed, and a retry may take over its key. */
const LOCK_DURATION_MS = 30_000;
const PURPOSE = 'idempotency';
/**
 * Returns whether responses of this status are stored. Those that ask for a corrected or later request
 * aren't.
 */
export const isReplayable = (status: number): boolean =>
  status < 500 && ![401, 403, 408, 413, 422, 429].includes(status);

/** Header of a response that is replayed for its Idempotency-Key. */
export const REPLAYED = { 'Idempotent-Replayed': 'true' };

/** An Idempotency-Key, and who sent it. The platform API has tenant and application 0. */
export interface SentKey {
  readonly tenantId: number;
  readonly applicationId: number;
  readonly key: string;
}

/** The row that a run claims, where `key` is a digest, and the run's own id (`owner`). */
interface Claim extends SentKey {
  readonly owner: string;
}

/** One run of a handler: its request, and the row that it claims. */
interface Run {
  readonly c: Context<App>;
  readonly db: Database;
  readonly claim: Claim;
}

/** The scope of a call without a key: stores nothing. */
export const WITHOUT_KEY: IdempotencyScope = { ref: null, mark: () => [] };

/**
 * Runs `handler` once for the call's Idempotency-Key (IETF draft-ietf-httpapi-idempotency-key-header). The
 * same key and body get the same response for 24 hours; a different body is 422; while the first run is
 * active, 409. 401, 403, 408, 413, 422, 429 and 5xx are not stored, but a committed write is never repeated.
 * A run that lost its key to a retry and did not succeed gets 409.
 */
export async function idempotent(
  call: Call,
  { tenantId, applicationId, key }: SentKey,
  handler: (once: IdempotencyScope) => Promise<Response>,
): Promise<Response | Reply<never>> {
  const { c, env } = call;
  const db = directory(env);
  const url = new URL(c.req.url);
  const name = sha256(`${c.req.method}\n${url.pathname}\n${key}`);
  // The customer is part of the fingerprint: the same body in another customer's session is another request.
  const customer = c.get('customer')?.customerId ?? c.req.header('x-customer-token') ?? '';
  const upload = c.get('upload');
  const fingerprints = (body: string | Uint8Array) =>
    fingerprintsOf(env, Buffer.concat([Buffer.from(`${url.search}\n${customer}\n`), Buffer.from(body)]));
  const claim: Claim = { tenantId, applicationId, key: name, owner: randomBase62(16) };
  // A stream has no digest until its handler has read it; the handler then stores the digest with the write.
  let asked = fingerprints(c.get('bodyBytes') ?? '');
  let row = await takeKey(db, claim, asked);
  if (!asked.all.includes(row.fingerprint) && upload && row.ref !== null) {
    const digest = await digestOf(upload);
    if (!digest.ok) return digest;
    asked = fingerprints(digest.value);
    row = await takeKey(db, claim, asked);
  }
  if (!asked.all.includes(row.fingerprint)) return fail('idempotency_key_reused');
  if (row.answer !== null) return replay(c, await unseal(env, PURPOSE, row.answer));
  if (row.owner !== claim.owner) return IN_PROGRESS;
  const own: Run = { c, db, claim };
  const running = runOnce(own, () =>
    handler({
      ref: row.ref,
      mark: (ref, digest) =>
        markStatements(own, ref, (digest === undefined ? asked : fingerprints(digest)).newest),
    }),
  );
  // The run must survive a disconnect, so that the client's retry finds the response.
  call.ctx.waitUntil(running.catch(() => undefined));
  return running;
}

/** A body's fingerprints: stored under the newest master key, compared under all of them. */
interface Fingerprints {
  readonly newest: string;
  readonly all: readonly string[];
}

/** Computes keyed digests. A body may contain a password, and a plain hash would allow offline guessing. */
function fingerprintsOf(env: Env, asked: Uint8Array): Fingerprints {
  const under = (version: string) =>
    Buffer.from(hmac({ env, version, purpose: 'idempotency-fingerprint' }, asked)).toString('hex');
  const [newest, ...older] = keyVersions(env).map(under);
  if (newest === undefined) throw new Error('There is always a master key');
  return { newest, all: [newest, ...older] };
}

async function digestOf(upload: Upload): Promise<Result<string>> {
  const digest = new Digest();
  for (;;) {
    const piece = await upload.next();
    if (!piece.ok) return piece;
    if (piece.value === null) return ok(digest.end());
    digest.add(piece.value);
  }
}

const IN_PROGRESS = fail('idempotency_in_progress', { retryAfter: 1 });

/** Runs the handler and stores its response. Releases the key if it throws or must not be stored. */
async function runOnce(own: Run, handler: () => Promise<Response>): Promise<Response | Reply<never>> {
  let response: Response;
  try {
    response = await handler();
  } catch (error) {
    const held = await release(own).catch(() => false);
    if (!held && guardFailed(error)) return IN_PROGRESS;
    throw error;
  }
  try {
    const held = await settle(own, response);
    // The failure may be caused by the run that took over the key.
    if (!held && !response.ok) return IN_PROGRESS;
  } catch {
    // The write is committed, so respond. A retry finds it by its `ref` once the lock has expired.
    log('idempotency_not_kept', { tenant: own.claim.tenantId });
  }
  return response;
}

/** Claims the key unless an active run holds it. Returns the row afterwards. */
async function takeKey(db: Database, claim: Claim, { newest: fingerprint, all }: Fingerprints) {
  const at = now();
  const lockedUntil = at + LOCK_DURATION_MS;
  const { owner } = claim;
  const expired = db.delete(idempotencyKeys).where(and(same(claim), lt(idempotencyKeys.createdAt, at - DAY)));
  const taken = db
    .insert(idempotencyKeys)
    .values({ ...claim, fingerprint, lockedUntil, createdAt: at })
    .onConflictDoUpdate({
      target: [idempotencyKeys.tenantId, idempotencyKeys.applicationId, idempotencyKeys.key],
      set: { owner, lockedUntil },
      setWhere: sql`${idempotencyKeys.answer} IS NULL AND ${idempotencyKeys.lockedUntil} < ${at}
          AND ${idempotencyKeys.fingerprint} IN (${jsonList(all)})`,
    });
  const found = db.select().from(idempotencyKeys).where(same(claim));
  const {
    found: [row],
  } = await namedBatch(db, { found }, [expired, taken]);
  if (!row) throw new Error('An idempotency key vanished while it was claimed');
  return row;
}

const same = (claim: Claim) =>
  and(
    eq(idempotencyKeys.tenantId, claim.tenantId),
    eq(idempotencyKeys.applicationId, claim.applicationId),
    eq(idempotencyKeys.key, claim.key),
  );

const held = (claim: Claim) => and(same(claim), eq(idempotencyKeys.owner, claim.owner));

/** Returns the statements of `IdempotencyScope.mark`. */
function markStatements({ db, claim }: Run, ref: string, fingerprint: string): Statement[] {
  const mine = and(held(claim), isNull(idempotencyKeys.ref));
  return [
    assertInBatch(db, sql`EXISTS (SELECT 1 FROM ${idempotencyKeys} WHERE ${mine})`),
    db.update(idempotencyKeys).set({ ref, fingerprint }).where(mine),
  ];
}

/**
 * Releases the key. Keeps a marked row, so that a retry doesn't write twice. Returns whether the run held it.
 */
async function release({ db, claim }: Run): Promise<boolean> {
  const { deleted, unlocked } = await namedBatch(db, {
    deleted: db
      .delete(idempotencyKeys)
      .where(and(held(claim), isNull(idempotencyKeys.ref)))
      .returning({ key: idempotencyKeys.key }),
    unlocked: db
      .update(idempotencyKeys)
      .set({ lockedUntil: 0 })
      .where(held(claim))
      .returning({ key: idempotencyKeys.key }),
  });
  return deleted.length + unlocked.length > 0;
}

/**
 * Stores the response if its status is replayable, else releases the key. Returns whether the run held it.
 */
async function settle(own: Run, response: Response): Promise<boolean> {
  const { c, db, claim } = own;
  const { status } = response;
  if (!isReplayable(status)) return release(own);
  const headers = Object.fromEntries(
    ['content-type', 'etag', 'location', 'x-catalog-version'].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const kept = JSON.stringify({ status, headers, body: await response.clone().text() });
  const answer = await seal(c.env, PURPOSE, kept);
  const customerId = c.get('customer')?.customerId ?? c.get('concerns') ?? null;
  const { key } = idempotencyKeys;
  const set = { answer, customerId };
  return (await db.update(idempotencyKeys).set(set).where(held(claim)).returning({ key })).length > 0;
}

/** Returns the stored response, marked as a replay, with this request's id and headers. */
function replay(c: Context<App>, sealed: string): Response {
  // settle() wrote and authenticated this JSON.
  const { status, headers, body } = JSON.parse(sealed) as {
    status: number;
    headers: HeaderFields;
    body: string;
  };
  // Every failure has the error body of problem.ts.
  const shown = status < 400 ? body : JSON.stringify({ ...JSON.parse(body), request_id: c.get('requestId') });
  return respond(c, shown || null, { status, headers: { ...headers, ...REPLAYED } });
}

/** Chore that deletes keys older than 24 hours. */
export const forgetOldKeys = deletes(
  idempotencyKeys,
  () => sql`${idempotencyKeys.createdAt} < ${now() - DAY}`,
);

/**
 * Returns the statement that deletes stored responses about a customer. Their writes are still not repeated.
 */
export const forgetAnswersTo = ({ db, tenantId }: TenantDatabase, customerId: number): Statement =>
  db
    .update(idempotencyKeys)
    .set({ answer: null, customerId: null, lockedUntil: 0 })
    .where(and(eq(idempotencyKeys.tenantId, tenantId), eq(idempotencyKeys.customerId, customerId)));
