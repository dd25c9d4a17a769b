import { eq, sql } from 'drizzle-orm';
import { type Reservation, reservationById } from '../../inventory/index.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { type Database, database, namedBatch, shardDatabase } from '../../kernel/data/database.ts';
import { shardNames } from '../../kernel/shards/shard-names.ts';
import { fulfilmentsOf, linesOf, orderRow, refundsOf } from '../../orders/index.ts';
import { type TenantRow, tenants } from '../../tenants/index.ts';
import { readSessionToken, type SessionToken, type TokenSession } from '../signatures.ts';
import { checkoutSessions } from '../tables.ts';

/** A session with its tenant, reservation and order, read in one round trip. */
export interface LoadedSession extends TokenSession {
  readonly tenant: TenantRow;
  readonly reservation: Reservation;
}

/** Loads a session by its token; `session_not_found`. */
export async function loadSession(env: Env, token: string): Promise<Result<LoadedSession>> {
  const known = readSessionToken(env, token);
  const db = known && (await databaseOf(env, known));
  if (!db) return fail('session_not_found');
  const { digest } = known;
  const sessionColumn = (column: 'tenant_id' | 'order_id' | 'reservation_id') =>
    sql`(SELECT ${sql.raw(column)} FROM checkout_sessions WHERE digest = ${digest})`;
  const tenantId = sessionColumn('tenant_id');
  const read = await namedBatch(db, {
    sessions: db.select().from(checkoutSessions).where(eq(checkoutSessions.digest, digest)),
    tenants: db.select().from(tenants).where(eq(tenants.id, tenantId)),
    reservations: reservationById(db, tenantId, sessionColumn('reservation_id')),
    orders: orderRow({ db, tenantId }, sessionColumn('order_id')),
    lines: linesOf({ db, tenantId }, sessionColumn('order_id')),
    fulfilments: fulfilmentsOf({ db, tenantId }, sessionColumn('order_id')),
    refunds: refundsOf({ db, tenantId }, sessionColumn('order_id')),
  });
  const [[session], [tenant], [reservation], [row]] = [
    read.sessions,
    read.tenants,
    read.reservations,
    read.orders,
  ];
  if (!session || !tenant || !reservation) return fail('session_not_found');
  return ok({
    token,
    session,
    tenant,
    reservation,
    order: row ? { row, lines: read.lines, fulfilments: read.fulfilments, refunds: read.refunds } : null,
  });
}

/** Returns the database of the tenant that a token names; of one that names none, the shard that has its session. */
async function databaseOf(env: Env, { tenantId, digest }: SessionToken): Promise<Database | null> {
  if (tenantId !== null) return database(env, tenantId);
  for (const shard of shardNames(env)) {
    const db = shardDatabase(env, shard);
    const [found] = await db
      .select({ tenantId: checkoutSessions.tenantId })
      .from(checkoutSessions)
      .where(eq(checkoutSessions.digest, digest));
    if (found) return database(env, found.tenantId);
  }
  return null;
}
