import type { Context } from 'hono';
import { log } from '../core/log.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { hmac, keyVersions, randomBase62, seal, sha256, unseal } from '../crypto/crypto.ts';
import { type Database, database, directory, guardFailed } from '../data/database.ts';
import {
  type ClaimedRow,
  type Fingerprints,
  markStatements,
  NOT_ERASABLE,
  releaseKey,
  type SentKey,
  storeResponse,
  takeKey,
} from '../data/idempotency-keys.ts';
import { type DigestedUpload, digestUpload } from '../input/digested-upload.ts';
import { tenantIdOf } from '../shards/placements.ts';
import type { App, Call, HeaderFields, IdempotencyScope, Reply } from './context.ts';
import { respond } from './response.ts';

const PURPOSE = 'idempotency';

/**
 * Returns whether responses of this status are stored. Those that ask for a corrected or later request
 * aren't.
 */
export const isReplayable = (status: number): boolean =>
  status < 500 && ![401, 403, 408, 413, 422, 429].includes(status);

/** Returns the name under which a key of a method and path is stored. */
export const keyName = (method: string, pathname: string, key: string): string =>
  sha256(`${method}\n${pathname}\n${key}`);

/** Header of a response that is replayed for its Idempotency-Key. */
export const REPLAYED = { 'Idempotent-Replayed': 'true' };

/** One run of a handler: its request, and the row that it claims. */
interface Run extends ClaimedRow {
  readonly c: Context<App>;
  readonly upload: DigestedUpload | null;
  /** Returns the request's fingerprints with this body, or with the digest (hex) of its upload. */
  fingerprints(body: string | Uint8Array): Fingerprints;
}

/** A run with the row of its key as it was found, which another run may hold, and the request's fingerprints. */
interface ClaimedRun extends Run {
  readonly row: Awaited<ReturnType<typeof takeKey>>;
  readonly sent: Fingerprints;
}

/** The scope of a call without a key: stores nothing. */
export const WITHOUT_KEY: IdempotencyScope = { ref: null, claimed: null, mark: () => [] };

/**
 * Runs `handler` once for the call's Idempotency-Key (IETF draft-ietf-httpapi-idempotency-key-header). The
 * same key and body get the same response for 24 hours; a different body is 422; while the first run is
 * active, 409. 401, 403, 408, 413, 422, 429 and 5xx are not stored, but a committed write is never repeated.
 * A run that lost its key to a retry and did not succeed gets 409.
 */
export async function idempotent(
  call: Call,
  key: SentKey,
  handler: (once: IdempotencyScope) => Promise<Response>,
): Promise<Response | Reply<never>> {
  const claimed = await claimKey(await openRun(call, key));
  if (!claimed.ok) return claimed;
  const run = claimed.value;
  const { row, sent, claim } = run;
  if (!sent.all.includes(row.fingerprint)) return fail('idempotency_key_reused');
  if (row.answer !== null) return replay(call.c, await unseal(call.env, PURPOSE, row.answer));
  if (row.owner !== claim.owner) return IN_PROGRESS;
  const running = runOnce(run, () => handler(scopeOf(run)));
  // The run must survive a disconnect, so that the client's retry finds the response.
  call.ctx.waitUntil(running.catch(() => undefined));
  return running;
}

async function openRun(call: Call, { tenantId, applicationId, key }: SentKey): Promise<Run> {
  const { c, env } = call;
  const url = new URL(c.req.url);
  const name = keyName(c.req.method, url.pathname, key);
  // The customer is part of the fingerprint: the same body in another customer's session is another request.
  const customer = c.get('customer')?.customerId ?? c.req.header('x-customer-token') ?? '';
  const prefix = Buffer.from(`${url.search}\n${customer}\n`);
  const place = await keyPlace(env, tenantId, tenantId === 0 ? c.req.param('slug') : undefined);
  return {
    c,
    db: place.db,
    claim: { tenantId: place.tenantId, applicationId, key: name, owner: randomBase62(16) },
    upload: digestUpload(c),
    fingerprints: (body) => fingerprintsOf(env, Buffer.concat([prefix, Buffer.from(body)])),
  };
}

/**
 * Claims the run's key. An upload has no digest until its handler has read it, so it is read to its end here if an
 * earlier run with the key may have received the same one.
 */
async function claimKey(run: Run): Promise<Result<ClaimedRun>> {
  const sent = run.fingerprints(run.c.get('bodyBytes') ?? '');
  const row = await takeKey(run, sent);
  const hasResult = (row.ref ?? row.answer) !== null;
  if (!run.upload || !hasResult || sent.all.includes(row.fingerprint)) return ok({ ...run, row, sent });
  const digest = await run.upload.readAll();
  if (!digest.ok) return digest;
  const digested = run.fingerprints(digest.value);
  return ok({ ...run, row: await takeKey(run, digested), sent: digested });
}

/** Returns the scope in which the handler of a run commits its write. */
function scopeOf(run: ClaimedRun): IdempotencyScope {
  const { row, sent, claim } = run;
  return {
    ref: row.ref,
    claimed: { claim, fingerprint: sent.newest },
    mark: (ref) => markStatements(run, ref, fingerprintOf(run) ?? sent.newest),
  };
}

/** Returns the fingerprint to store with a write or its response, or null for an upload that was not read to its end. */
function fingerprintOf({ upload, sent, fingerprints }: ClaimedRun): string | null {
  if (!upload) return sent.newest;
  return upload.digest === null ? null : fingerprints(upload.digest).newest;
}

/** Whose key a call's is, and the database that has it. */
interface KeyPlace {
  readonly db: Database;
  /** 0 for the platform's own. */
  readonly tenantId: number;
}

/**
 * Returns the place of a call's key: where its write goes, so that the key is marked in the same batch. That is the
 * tenant's database, also for a call of the platform API about one tenant (`{slug}`), with whom the key moves; else the
 * directory.
 */
export async function keyPlace(env: Env, tenantId: number, slug: string | undefined): Promise<KeyPlace> {
  const owner = (slug === undefined ? tenantId : await tenantIdOf(env, slug)) ?? 0;
  return { db: owner === 0 ? directory(env) : database(env, owner), tenantId: owner };
}

/** Computes keyed digests. A body may contain a password, and a plain hash would allow offline guessing. */
function fingerprintsOf(env: Env, request: Uint8Array): Fingerprints {
  const under = (version: string) =>
    Buffer.from(hmac({ env, version, purpose: 'idempotency-fingerprint' }, request)).toString('hex');
  const [newest, ...older] = keyVersions(env).map(under);
  if (newest === undefined) throw new Error('There is always a master key');
  return { newest, all: [newest, ...older] };
}

const IN_PROGRESS = fail('idempotency_in_progress', { retryAfter: 1 });

/** Runs the handler and stores its response. Releases the key if it throws or must not be stored. */
async function runOnce(run: ClaimedRun, handler: () => Promise<Response>): Promise<Response | Reply<never>> {
  let response: Response;
  try {
    response = await handler();
  } catch (error) {
    const held = await releaseKey(run).catch(() => false);
    if (!held && guardFailed(error)) return IN_PROGRESS;
    throw error;
  }
  try {
    const held = await settle(run, response);
    // The failure may be caused by the run that took over the key.
    if (!held && !response.ok) return IN_PROGRESS;
  } catch {
    // The write is committed, so respond. A retry finds it by its `ref` once the lock has expired.
    log('idempotency_not_kept', { tenant: run.claim.tenantId });
  }
  return response;
}

/**
 * Stores the response if its status is replayable, else releases the key. Returns whether the run held it.
 */
async function settle(run: ClaimedRun, response: Response): Promise<boolean> {
  const { c } = run;
  const { status } = response;
  const fingerprint = fingerprintOf(run);
  const concerns = c.get('concerns') ?? null;
  // Without a fingerprint of the whole body, a retry with another body would get this response.
  if (!isReplayable(status) || fingerprint === null || concerns === NOT_ERASABLE) return releaseKey(run);
  const headers = Object.fromEntries(
    ['content-type', 'etag', 'location', 'x-catalog-version'].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const stored = JSON.stringify({ status, headers, body: await response.clone().text() });
  const answer = await seal(c.env, PURPOSE, stored);
  const customer = c.get('customer');
  const subject = (customer && { customerId: customer.customerId }) ?? concerns;
  return storeResponse(run, { answer, subject, fingerprint });
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
