import type { Context } from 'hono';
import { log } from '../core/log.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { Digest, hmac, keyVersions, randomBase62, seal, sha256, unseal } from '../crypto/crypto.ts';
import { type Database, database, directory, guardFailed } from '../data/database.ts';
import {
  type Claim,
  type ClaimedRow,
  type Fingerprints,
  markStatements,
  releaseKey,
  type SentKey,
  storeResponse,
  takeKey,
} from '../data/idempotency-keys.ts';
import type { Upload } from '../input/body.ts';
import { tenantIdOf } from '../shards/placements.ts';
import type { App, Call, IdempotencyScope, Reply } from './context.ts';
import { type HeaderFields, respond } from './response.ts';

const PURPOSE = 'idempotency';
/**
 * Returns whether responses of this status are stored. Those that ask for a corrected or later request
 * aren't.
 */
export const isReplayable = (status: number): boolean =>
  status < 500 && ![401, 403, 408, 413, 422, 429].includes(status);

/** Header of a response that is replayed for its Idempotency-Key. */
export const REPLAYED = { 'Idempotent-Replayed': 'true' };

/** One run of a handler: its request, and the row that it claims. */
interface Run extends ClaimedRow {
  readonly c: Context<App>;
  /** Returns the fingerprint of the request, or null for a stream that was not read to its end. */
  fingerprint(): string | null;
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
  { tenantId, applicationId, key }: SentKey,
  handler: (once: IdempotencyScope) => Promise<Response>,
): Promise<Response | Reply<never>> {
  const { c, env } = call;
  const url = new URL(c.req.url);
  const name = sha256(`${c.req.method}\n${url.pathname}\n${key}`);
  // The customer is part of the fingerprint: the same body in another customer's session is another request.
  const customer = c.get('customer')?.customerId ?? c.req.header('x-customer-token') ?? '';
  const upload = digestedUpload(c);
  const fingerprints = (body: string | Uint8Array) =>
    fingerprintsOf(env, Buffer.concat([Buffer.from(`${url.search}\n${customer}\n`), Buffer.from(body)]));
  const claim: Claim = { tenantId, applicationId, key: name, owner: randomBase62(16) };
  // A stream has no digest until its handler has read it; the digest is then stored with the write or the response.
  let asked = fingerprints(c.get('bodyBytes') ?? '');
  const own: Run = {
    c,
    db: await keyDatabase(call, tenantId),
    claim,
    fingerprint: () => {
      if (!upload) return asked.newest;
      return upload.digest === null ? null : fingerprints(upload.digest).newest;
    },
  };
  let row = await takeKey(own, asked);
  if (!asked.all.includes(row.fingerprint) && upload && (row.ref ?? row.answer) !== null) {
    const digest = await upload.readAll();
    if (!digest.ok) return digest;
    asked = fingerprints(digest.value);
    row = await takeKey(own, asked);
  }
  if (!asked.all.includes(row.fingerprint)) return fail('idempotency_key_reused');
  if (row.answer !== null) return replay(c, await unseal(env, PURPOSE, row.answer));
  if (row.owner !== claim.owner) return IN_PROGRESS;
  const running = runOnce(own, () =>
    handler({
      ref: row.ref,
      claimed: { claim, fingerprint: asked.newest },
      mark: (ref, digest) =>
        markStatements(own, ref, (digest === undefined ? asked : fingerprints(digest)).newest),
    }),
  );
  // The run must survive a disconnect, so that the client's retry finds the response.
  call.ctx.waitUntil(running.catch(() => undefined));
  return running;
}

/**
 * Returns the database that a call's write goes to, so that its key is marked in the same batch: the tenant's, also
 * for a call of the platform API about one tenant (`{slug}`); else the directory.
 */
async function keyDatabase({ c, env }: Call, tenantId: number): Promise<Database> {
  const slug = tenantId === 0 ? c.req.param('slug') : undefined;
  const owner = slug === undefined ? tenantId : await tenantIdOf(env, slug);
  return owner ? database(env, owner) : directory(env);
}

/** Computes keyed digests. A body may contain a password, and a plain hash would allow offline guessing. */
function fingerprintsOf(env: Env, asked: Uint8Array): Fingerprints {
  const under = (version: string) =>
    Buffer.from(hmac({ env, version, purpose: 'idempotency-fingerprint' }, asked)).toString('hex');
  const [newest, ...older] = keyVersions(env).map(under);
  if (newest === undefined) throw new Error('There is always a master key');
  return { newest, all: [newest, ...older] };
}

/** An upload whose SHA-256 (hex) is known once it was read to its end. */
class DigestedUpload implements Upload {
  digest: string | null = null;
  readonly #hash = new Digest();

  constructor(private readonly upload: Upload) {}

  async next(): Promise<Result<Uint8Array | null>> {
    const piece = await this.upload.next();
    if (piece.ok && piece.value) this.#hash.add(piece.value);
    else if (piece.ok) this.digest ??= this.#hash.end();
    return piece;
  }

  /** Reads it to its end. Returns its digest. */
  async readAll(): Promise<Result<string>> {
    while (this.digest === null) {
      const piece = await this.next();
      if (!piece.ok) return piece;
    }
    return ok(this.digest);
  }
}

/** Makes the handler read the call's upload, if it has one, through its digest. */
function digestedUpload(c: Context<App>): DigestedUpload | null {
  const upload = c.get('upload');
  if (!upload) return null;
  const digested = new DigestedUpload(upload);
  c.set('upload', digested);
  return digested;
}

const IN_PROGRESS = fail('idempotency_in_progress', { retryAfter: 1 });

/** Runs the handler and stores its response. Releases the key if it throws or must not be stored. */
async function runOnce(own: Run, handler: () => Promise<Response>): Promise<Response | Reply<never>> {
  let response: Response;
  try {
    response = await handler();
  } catch (error) {
    const held = await releaseKey(own).catch(() => false);
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

/**
 * Stores the response if its status is replayable, else releases the key. Returns whether the run held it.
 */
async function settle(own: Run, response: Response): Promise<boolean> {
  const { c } = own;
  const { status } = response;
  const fingerprint = own.fingerprint();
  // Without a fingerprint of the whole body, a retry with another body would get this response.
  if (!isReplayable(status) || fingerprint === null) return releaseKey(own);
  const headers = Object.fromEntries(
    ['content-type', 'etag', 'location', 'x-catalog-version'].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const kept = JSON.stringify({ status, headers, body: await response.clone().text() });
  const answer = await seal(c.env, PURPOSE, kept);
  const customerId = c.get('customer')?.customerId ?? c.get('concerns') ?? null;
  return storeResponse(own, { answer, customerId, fingerprint });
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
