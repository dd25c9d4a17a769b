import { and, asc, count, eq } from 'drizzle-orm';
import { iso, now } from '../kernel/clock.ts';
import { sha256 } from '../kernel/crypto.ts';
import type { Database } from '../kernel/database.ts';
import { offset, type Page } from '../kernel/pagination.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import type { ApplicationCreate, ApplicationPatch } from './schemas.ts';
import { DEFAULT_SCOPES } from './scopes.ts';
import { type ApplicationRow, applications } from './tables.ts';
import { mintToken } from './token.ts';

/** After a rotation the token before it lives this long (ms). */
const ROTATION = 24 * 3600_000;

const one = (tenantId: number, id: number) =>
  and(eq(applications.tenantId, tenantId), eq(applications.id, id));

/** The tenant's application, or `application_not_found`. */
export async function applicationById(
  db: Database,
  tenantId: number,
  id: number,
): Promise<Result<ApplicationRow>> {
  const [row] = await db.select().from(applications).where(one(tenantId, id));
  return row ? ok(row) : fail('application_not_found');
}

/** A page of the tenant's applications, and how many there are. */
export async function listApplications(db: Database, tenantId: number, page: Page) {
  const mine = eq(applications.tenantId, tenantId);
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(applications)
      .where(mine)
      .orderBy(asc(applications.id))
      .limit(page.limit)
      .offset(offset(page)),
    db.select({ total: count() }).from(applications).where(mine),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** Every allowed origin of the tenant's applications: hosts that checkout may return to. */
export async function originsOf(db: Database, tenantId: number): Promise<string[]> {
  const rows = await db
    .select({ origins: applications.allowedOrigins })
    .from(applications)
    .where(and(eq(applications.tenantId, tenantId), eq(applications.status, 'active')));
  return [...new Set(rows.flatMap((row) => row.origins))];
}

/** Makes an application with its token, which is shown this once: only its hash is kept. */
export async function createApplication(env: Env, db: Database, tenantId: number, input: ApplicationCreate) {
  // The token names the application, so the row comes first, with a hash that no token has.
  const [row] = await db
    .insert(applications)
    .values({
      tenantId,
      name: input.name,
      kind: input.kind,
      status: input.status,
      scopes: input.scopes ?? [...DEFAULT_SCOPES[input.kind]],
      allowedOrigins: input.allowed_origins,
      rateLimitPerMinute: input.rate_limit_per_minute ?? null,
      expiresAt: input.expires_at ? Date.parse(input.expires_at) : null,
      tokenHash: '',
      createdAt: now(),
    })
    .returning();
  if (!row) throw new Error('An insert returned no application');
  const token = mintToken(env, tenantId, row.id);
  await db
    .update(applications)
    .set({ tokenHash: sha256(token) })
    .where(one(tenantId, row.id));
  return { row, token };
}

/** Changes what is named. */
export async function patchApplication(
  db: Database,
  tenantId: number,
  id: number,
  patch: ApplicationPatch,
): Promise<Result<ApplicationRow>> {
  const expires = patch.expires_at;
  const limit = patch.rate_limit_per_minute;
  const set = {
    ...(patch.name === undefined ? {} : { name: patch.name }),
    ...(patch.status === undefined ? {} : { status: patch.status }),
    ...(patch.scopes === undefined ? {} : { scopes: patch.scopes }),
    ...(patch.allowed_origins === undefined ? {} : { allowedOrigins: patch.allowed_origins }),
    ...(limit === undefined ? {} : { rateLimitPerMinute: limit }),
    ...(expires === undefined ? {} : { expiresAt: expires === null ? null : Date.parse(expires) }),
  };
  if (Object.keys(set).length === 0) return applicationById(db, tenantId, id);
  const [row] = await db.update(applications).set(set).where(one(tenantId, id)).returning();
  return row ? ok(row) : fail('application_not_found');
}

/** Gives the application a new token; the old one lives 24 hours more. */
export async function rotateToken(env: Env, db: Database, row: ApplicationRow) {
  const token = mintToken(env, row.tenantId, row.id);
  const [rotated] = await db
    .update(applications)
    .set({ previousHash: row.tokenHash, previousUntil: now() + ROTATION, tokenHash: sha256(token) })
    .where(one(row.tenantId, row.id))
    .returning();
  return rotated ? ok({ row: rotated, token }) : fail('application_not_found');
}

/** Notes that the application was used. */
export const touch = (db: Database, tenantId: number, id: number) =>
  db.update(applications).set({ lastUsedAt: now() }).where(one(tenantId, id));

const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

/** An application as the platform API shows it: never its token. */
export const presentApplication = (row: ApplicationRow) => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  status: row.status,
  scopes: row.scopes,
  allowed_origins: row.allowedOrigins,
  rate_limit_per_minute: row.rateLimitPerMinute,
  expires_at: isoOrNull(row.expiresAt),
  last_used_at: isoOrNull(row.lastUsedAt),
  created_at: iso(row.createdAt),
});
