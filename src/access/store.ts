import { and, asc, count, eq, gt, or, sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { type ListPage, rowsBefore } from '../kernel/core/pagination.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { seal, unseal } from '../kernel/crypto/crypto.ts';
import { assertInBatch, guardFailed, namedBatch } from '../kernel/data/database.ts';
import { nextId } from '../kernel/data/ids.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import { isOverQuota, quotaExceeded, withinQuota } from '../tenants/index.ts';
import type { ApplicationCreate, ApplicationPatch } from './schemas.ts';
import { DEFAULT_SCOPES } from './scopes.ts';
import { type ApplicationRow, applications, MAX_EARLIER_TOKENS } from './tables.ts';
import { hashOf, newTokenSecret, tokenOf } from './token.ts';

/** How long (ms) a token keeps working after it was rotated out, regardless of later rotations. */
const EARLIER_TOKEN_LIFE_MS = DAY;

const one = (tenantId: number, id: number) =>
  and(eq(applications.tenantId, tenantId), eq(applications.id, id));

/** Returns the tenant's application, or `application_not_found`. */
export async function applicationById(
  { db, tenantId }: TenantDatabase,
  id: number,
): Promise<Result<ApplicationRow>> {
  const [row] = await db.select().from(applications).where(one(tenantId, id));
  return row ? ok(row) : fail('application_not_found');
}

/** Returns a page of a tenant's applications and their total. One round trip. */
export async function listApplications(
  { db, tenantId }: TenantDatabase,
  page: ListPage<number>,
): Promise<{ rows: ApplicationRow[]; total: number }> {
  const ofTenant = eq(applications.tenantId, tenantId);
  const { rows, counted } = await namedBatch(db, {
    rows: db
      .select()
      .from(applications)
      .where(page.after === null ? ofTenant : and(ofTenant, gt(applications.id, page.after)))
      .orderBy(asc(applications.id))
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    counted: db.select({ total: count() }).from(applications).where(ofTenant),
  });
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Returns the allowed origins of the tenant's active applications. Checkout may return to their hosts. */
export async function originsOf({ db, tenantId }: TenantDatabase): Promise<string[]> {
  const rows = await db
    .select({ origins: applications.allowedOrigins })
    .from(applications)
    .where(and(eq(applications.tenantId, tenantId), eq(applications.status, 'active')));
  return [...new Set(rows.flatMap((row) => row.origins))];
}

/** An application with its new token, which is shown only once. */
export interface Issued {
  readonly row: ApplicationRow;
  readonly token: string;
}

/** Encryption purpose of a token's secret part in the idempotency reference. */
const ISSUED_TOKEN = 'issued-token';

/**
 * Returns the secret part of the token to issue: a new one, or the one that an earlier run of the call has
 * committed. `ref` is the reference to mark the batch with.
 */
async function secretFor(env: Env, once: IdempotencyScope) {
  const secret = once.ref === null ? newTokenSecret() : await unseal(env, ISSUED_TOKEN, once.ref);
  return { secret, hash: hashOf(secret), ref: once.ref ?? (await seal(env, ISSUED_TOKEN, secret)) };
}

const issued = (env: Env, row: ApplicationRow, secret: string): Result<Issued> =>
  ok({ row, token: tokenOf(env, { tenantId: row.tenantId, applicationId: row.id }, secret) });

/**
 * Creates an application and its token, of which only a hash is stored. `quota_exceeded` if the plan allows
 * no more. A retry of a committed call returns the same application and token.
 */
export async function createApplication(
  ctx: TenantContext,
  input: ApplicationCreate,
  once: IdempotencyScope,
): Promise<Result<Issued>> {
  const { env, db, tenantId } = ctx;
  const { secret, hash, ref } = await secretFor(env, once);
  if (once.ref !== null) {
    const earlier = sql`EXISTS (SELECT 1 FROM json_each(${applications.earlierTokens}) WHERE value ->> 'hash' = ${hash})`;
    const token = or(eq(applications.tokenHash, hash), earlier);
    const [made] = await db
      .select()
      .from(applications)
      .where(and(eq(applications.tenantId, tenantId), token));
    return made ? issued(env, made, secret) : fail('application_not_found');
  }
  const insert = db
    .insert(applications)
    .values({ id: nextId('application'), ...newRow(tenantId, input, hash) })
    .returning();
  try {
    const quota = withinQuota(ctx, 'applications');
    const {
      inserted: [row],
    } = await namedBatch(db, { inserted: insert, quota }, once.mark(ref));
    if (!row) throw new Error('An insert returned no application');
    return issued(env, row, secret);
  } catch (error) {
    if (isOverQuota(error)) return quotaExceeded(ctx, 'applications');
    throw error;
  }
}

const newRow = (
  tenantId: number,
  input: ApplicationCreate,
  tokenHash: string,
): typeof applications.$inferInsert => ({
  tenantId,
  name: input.name,
  kind: input.kind,
  status: input.status,
  agentProfile: input.agent_profile ?? null,
  scopes: input.scopes ?? [...DEFAULT_SCOPES[input.kind]],
  serverSide: input.server_side ?? input.kind === 'integration',
  allowedOrigins: input.allowed_origins,
  rateLimitPerMinute: input.rate_limit_per_minute ?? null,
  expiresAt: input.expires_at ? Date.parse(input.expires_at) : null,
  tokenHash,
  createdAt: now(),
});

/** Updates the given fields. Returns `application_not_found` if the application doesn't exist. */
export async function patchApplication(
  ctx: TenantDatabase,
  id: number,
  patch: ApplicationPatch,
): Promise<Result<ApplicationRow>> {
  const { db, tenantId } = ctx;
  const { expires_at } = patch;
  // Drizzle leaves out columns that are undefined.
  const set = {
    name: patch.name,
    status: patch.status,
    scopes: patch.scopes,
    serverSide: patch.server_side,
    allowedOrigins: patch.allowed_origins,
    rateLimitPerMinute: patch.rate_limit_per_minute,
    expiresAt: typeof expires_at === 'string' ? Date.parse(expires_at) : expires_at,
  };
  if (Object.values(set).every((value) => value === undefined)) return applicationById(ctx, id);
  const [row] = await db.update(applications).set(set).where(one(tenantId, id)).returning();
  return row ? ok(row) : fail('application_not_found');
}

/** Selects the application's earlier tokens that still work at `at`, one JSON `value` a row. */
const validEarlierTokens = (at: number) =>
  sql`SELECT value FROM json_each(${applications.earlierTokens}) WHERE value ->> 'until' > ${at}`;

/**
 * Gives the application a new token. Each earlier token works for 24 hours from its own rotation;
 * `quota_exceeded` while {@link MAX_EARLIER_TOKENS} of them still work. A retry of a committed call rotates
 * nothing and returns the same token.
 */
export async function rotateToken(
  ctx: TenantContext,
  id: number,
  once: IdempotencyScope,
): Promise<Result<Issued>> {
  const { env, db, tenantId } = ctx;
  const found = await applicationById(ctx, id);
  if (!found.ok) return found;
  const { secret, hash, ref } = await secretFor(env, once);
  if (once.ref !== null) return issued(env, found.value, secret);
  const at = now();
  const few = sql`(SELECT count(*) FROM (${validEarlierTokens(at)})) < ${MAX_EARLIER_TOKENS}`;
  // Uses the row's current hash, not the one read above, so that concurrent rotations lose no token.
  const ended = sql`SELECT json_object('hash', ${applications.tokenHash}, 'until', ${at + EARLIER_TOKEN_LIFE_MS})`;
  const update = db
    .update(applications)
    .set({
      earlierTokens: sql`(SELECT json_group_array(json(value)) FROM (${validEarlierTokens(at)} UNION ALL ${ended}))`,
      tokenHash: hash,
    })
    .where(one(tenantId, id))
    .returning();
  const fits = assertInBatch(
    db,
    sql`EXISTS (SELECT 1 FROM ${applications} WHERE ${one(tenantId, id)} AND ${few})`,
  );
  try {
    const { updated } = await namedBatch(db, { updated: update }, [fits, ...once.mark(ref)]);
    const [row] = updated;
    return row ? issued(env, row, secret) : fail('application_not_found');
  } catch (error) {
    if (!guardFailed(error)) throw error;
    return fail('quota_exceeded', {
      message:
        'Too many earlier tokens of this application still work; each expires 24 hours after its rotation.',
      details: { quota: 'earlier_tokens', limit: MAX_EARLIER_TOKENS },
    });
  }
}

/** Returns the statement that sets the application's `last_used_at` to now. */
export const touch = ({ db, tenantId }: TenantDatabase, id: number) =>
  db.update(applications).set({ lastUsedAt: now() }).where(one(tenantId, id));
