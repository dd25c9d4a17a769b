import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { DAY, now } from '../../kernel/core/clock.ts';
import { randomBase62, sha256 } from '../../kernel/crypto/crypto.ts';
import {
  assertInBatch,
  type Database,
  guardFailed,
  namedBatch,
  type Statement,
} from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { placements } from '../../kernel/shards/tables.ts';
import { type TenantRow, tenantWithId } from '../../tenants/index.ts';
import type { Role } from './roles.ts';
import { type PanelUser, panelSessions, panelUsers } from './tables.ts';

/** Lifetimes of the one-time links: for a new person, and for a forgotten password. */
const INVITATION_LIFETIME_MS = 7 * DAY;
const RESET_LIFETIME_MS = DAY;

/** The most panel users of a tenant. */
export const MAX_PEOPLE = 200;

/** A developer and their tenant, as stored. */
export interface Developer {
  readonly user: PanelUser;
  readonly tenant: TenantRow;
}

/** Returns a person with their tenant, `expected` or read from its shard; `null` if either is missing. */
export async function withTenant(
  env: Env,
  user: PanelUser | undefined,
  expected: TenantRow | null = null,
): Promise<Developer | null> {
  if (!user) return null;
  const tenant = expected?.id === user.tenantId ? expected : await tenantWithId(env, user.tenantId);
  return tenant && { user, tenant };
}

const one = ({ tenantId }: Pick<TenantDatabase, 'tenantId'>, id: number): SQL =>
  sql`${panelUsers.tenantId} = ${tenantId} AND ${panelUsers.id} = ${id}`;

/** Returns the query of a tenant's id by its slug. */
export const idOf = (db: Database, slug: string) =>
  sql`${db.select({ id: placements.tenantId }).from(placements).where(eq(placements.slug, slug))}`;

/** Returns the developers of the tenant with this slug, ordered by e-mail. */
export const listDevelopers = (db: Database, slug: string): Promise<PanelUser[]> =>
  db
    .select()
    .from(panelUsers)
    .where(eq(panelUsers.tenantId, idOf(db, slug)))
    .orderBy(asc(panelUsers.email));

/** A one-time link's token, of which only the hash is stored, and whom it is for. */
export interface OneTimeLink {
  readonly token: string;
  readonly user: PanelUser;
}

/** Returns a new token, and the columns that store it. The lifetime depends on whether the person has joined. */
function newLink() {
  const token = randomBase62(32);
  const life = sql`CASE WHEN ${panelUsers.acceptedAt} IS NULL THEN ${INVITATION_LIFETIME_MS} ELSE ${RESET_LIFETIME_MS} END`;
  return { token, hash: sha256(token), until: sql<number>`${now()} + ${life}` };
}

/**
 * Invites somebody to a tenant, or renews the link of an open invitation. Somebody who has joined already is
 * left as they are: `joined`. Returns `full` for more than {@link MAX_PEOPLE}.
 */
export async function invite(
  { db, tenantId }: TenantDatabase,
  who: { email: string; name: string; role: Role },
): Promise<OneTimeLink | 'joined' | 'full'> {
  const link = newLink();
  const insert = db
    .insert(panelUsers)
    .values({
      ...who,
      tenantId,
      invitedAt: now(),
      inviteHash: link.hash,
      inviteUntil: now() + INVITATION_LIFETIME_MS,
    })
    .onConflictDoUpdate({
      target: [panelUsers.tenantId, panelUsers.email],
      set: { name: who.name, role: who.role, inviteHash: link.hash, inviteUntil: link.until },
      setWhere: sql`${panelUsers.acceptedAt} IS NULL`,
    })
    .returning();
  const full = sql`(SELECT count(*) FROM ${panelUsers} WHERE ${panelUsers.tenantId} = ${tenantId}) > ${MAX_PEOPLE}`;
  const result = await guarded(namedBatch(db, { made: insert, bound: assertInBatch(db, sql`NOT ${full}`) }));
  if (!result) return 'full';
  const [user] = result.made;
  return user ? { token: link.token, user } : 'joined';
}

/** Returns what a batch returned, or `null` if one of its guards rolled it back. */
async function guarded<T>(batch: Promise<T>): Promise<T | null> {
  try {
    return await batch;
  } catch (error) {
    if (guardFailed(error)) return null;
    throw error;
  }
}

/**
 * Issues a new one-time link for somebody of a tenant, invited or joined; the current password works until it is
 * used. `roles` are those whose links the issuer may make. Returns `null` for anybody else.
 */
export async function issueLink(
  { db, tenantId }: TenantDatabase,
  id: number,
  roles: readonly Role[],
): Promise<OneTimeLink | null> {
  const link = newLink();
  const reachable = or(isNull(panelUsers.acceptedAt), inArray(panelUsers.role, [...roles]));
  const [user] = await db
    .update(panelUsers)
    .set({ inviteHash: link.hash, inviteUntil: link.until })
    .where(and(one({ tenantId }, id), reachable))
    .returning();
  return user ? { token: link.token, user } : null;
}

/** Returns the statement that aborts a batch unless another owner who has joined remains beside this person. */
const ownerRemains = ({ db, tenantId }: TenantDatabase, id: number): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (SELECT 1 FROM ${panelUsers} WHERE ${one({ tenantId }, id)} AND ${panelUsers.role} = 'owner')
      OR EXISTS (SELECT 1 FROM ${panelUsers} WHERE ${panelUsers.tenantId} = ${tenantId}
        AND ${panelUsers.id} <> ${id} AND ${panelUsers.role} = 'owner' AND ${panelUsers.acceptedAt} IS NOT NULL)`,
  );

/**
 * What became of a change to a person: done, they are so already, nobody has the id, or the tenant would have no owner
 * left.
 */
export type PersonChange = 'done' | 'unchanged' | 'missing' | 'last_owner';

/**
 * Changes a person's role. It holds from the next request of their open sessions on. A link to a new password ends where
 * they become an owner: those who may make one for staff may not make it for an owner.
 */
export async function changeRole(ctx: TenantDatabase, id: number, role: Role): Promise<PersonChange> {
  const kept = sql`CASE WHEN ${panelUsers.acceptedAt} IS NULL OR ${panelUsers.role} = 'owner' THEN ${panelUsers.inviteHash} END`;
  const set = { role, ...(role === 'owner' && { inviteHash: kept }) };
  const changed = ctx.db
    .update(panelUsers)
    .set(set)
    .where(sql`${one(ctx, id)} AND ${panelUsers.role} <> ${role}`)
    .returning({ id: panelUsers.id });
  const found = ctx.db.select({ id: panelUsers.id }).from(panelUsers).where(one(ctx, id));
  const guards = role === 'owner' ? [] : [ownerRemains(ctx, id)];
  const result = await guarded(namedBatch(ctx.db, { changed, found }, guards));
  if (!result) return 'last_owner';
  if (result.changed.length > 0) return 'done';
  return result.found.length > 0 ? 'unchanged' : 'missing';
}

/** Removes a person and ends their sessions. The last owner stays, unless the platform removes them (`anyone`). */
export async function removePerson(
  ctx: TenantDatabase,
  id: number,
  who: 'anyone' | 'not_last_owner',
): Promise<PersonChange> {
  const person = ctx.db.select({ id: panelUsers.id }).from(panelUsers).where(one(ctx, id));
  const sessions = ctx.db.delete(panelSessions).where(sql`${panelSessions.userId} IN ${person}`);
  const removal = { removed: ctx.db.delete(panelUsers).where(one(ctx, id)).returning({ id: panelUsers.id }) };
  const guards = who === 'anyone' ? [] : [ownerRemains(ctx, id)];
  const result = await guarded(namedBatch(ctx.db, removal, [...guards, sessions]));
  if (!result) return 'last_owner';
  return result.removed.length > 0 ? 'done' : 'missing';
}
