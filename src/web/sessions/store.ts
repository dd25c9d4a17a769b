import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { DAY, now } from '../../kernel/core/clock.ts';
import { randomBase62, sha256 } from '../../kernel/crypto/crypto.ts';
import { deletes } from '../../kernel/data/chore.ts';
import { type Database, namedBatch } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type TenantRow, tenants } from '../../tenants/index.ts';
import { SESSION_LIFETIME_S } from './cookie.ts';
import type { Role } from './roles.ts';
import { type PanelUser, panelGuesses, panelSessions, panelUsers } from './tables.ts';

/** Lifetime of an invitation. */
const INVITATION_LIFETIME_MS = 7 * DAY;

/** A developer and their tenant, as stored. */
export interface Developer {
  readonly user: PanelUser;
  readonly tenant: TenantRow;
}

/** Returns the developer and tenant that two queries found, or `null` if either is missing. */
const pairOf = ([user]: readonly PanelUser[], [tenant]: readonly TenantRow[]): Developer | null =>
  user && tenant ? { user, tenant } : null;

/** Opens a session. `user` is null for the super-admin. */
export const openSession = (db: Database, hash: string, user: number | null): Promise<unknown> =>
  db.insert(panelSessions).values({ hash, userId: user, until: now() + SESSION_LIFETIME_S * 1000 });

/** Ends a session, regardless of the browser's cookie. */
export const endSession = (db: Database, hash: string): Promise<unknown> =>
  db.delete(panelSessions).where(eq(panelSessions.hash, hash));

const live = (hash: string) => and(eq(panelSessions.hash, hash), gt(panelSessions.until, now()));

/** Returns whether this is a live session of the super-admin. */
export async function isAdminSession(db: Database, hash: string): Promise<boolean> {
  const rows = await db
    .select({ until: panelSessions.until })
    .from(panelSessions)
    .where(and(live(hash), sql`${panelSessions.userId} IS NULL`));
  return rows.length > 0;
}

/** Returns the developer of a live session, with the tenant, in one round trip. */
export async function developerOf(db: Database, hash: string): Promise<Developer | null> {
  const user = db.select({ id: panelSessions.userId }).from(panelSessions).where(live(hash));
  const { users, owners } = await namedBatch(db, {
    users: db.select().from(panelUsers).where(sql`${panelUsers.id} = ${user}`),
    owners: db
      .select()
      .from(tenants)
      .where(
        sql`${tenants.id} = (SELECT ${panelUsers.tenantId} FROM ${panelUsers} WHERE ${panelUsers.id} = ${user})`,
      ),
  });
  return pairOf(users, owners);
}

/** Returns the developers of the tenant with this slug, ordered by e-mail. */
export const listDevelopers = (db: Database, slug: string): Promise<PanelUser[]> =>
  db
    .select()
    .from(panelUsers)
    .where(eq(panelUsers.tenantId, idOf(db, slug)))
    .orderBy(asc(panelUsers.email));

const idOf = (db: Database, slug: string) =>
  sql`${db.select({ id: tenants.id }).from(tenants).where(eq(tenants.slug, slug))}`;

/**
 * Invites a developer, or issues a new link for an existing one. Returns the link's token, of which only the hash
 * is stored. The current password works until the link is used. An existing developer keeps their role.
 */
export async function invite(
  { db, tenantId }: TenantDatabase,
  who: { email: string; name: string; role: Role },
): Promise<string> {
  const token = randomBase62(32);
  const link = { inviteHash: sha256(token), inviteUntil: now() + INVITATION_LIFETIME_MS };
  await db
    .insert(panelUsers)
    .values({ ...who, tenantId, ...link, invitedAt: now() })
    .onConflictDoUpdate({
      target: [panelUsers.tenantId, panelUsers.email],
      set: { ...link, name: who.name },
    });
  return token;
}

const invitation = (token: string) =>
  and(eq(panelUsers.inviteHash, sha256(token)), gt(panelUsers.inviteUntil, now()));

/** Returns the invited developer; `null` when the invitation is unknown, used or expired. */
export async function invited(db: Database, token: string): Promise<Developer | null> {
  const open = invitation(token);
  const tenantId = db.select({ id: panelUsers.tenantId }).from(panelUsers).where(open);
  const { users, owners } = await namedBatch(db, {
    users: db.select().from(panelUsers).where(open),
    owners: db.select().from(tenants).where(sql`${tenants.id} = ${tenantId}`),
  });
  return pairOf(users, owners);
}

/** Accepts an invitation once and ends the account's sessions. Returns `false` if it was already accepted. */
export async function accept(db: Database, token: string, passwordHash: string): Promise<boolean> {
  const open = invitation(token);
  const mine = db.select({ id: panelUsers.id }).from(panelUsers).where(open);
  const sessions = db.delete(panelSessions).where(sql`${panelSessions.userId} IN ${mine}`);
  const { accepted } = await namedBatch(
    db,
    {
      accepted: db
        .update(panelUsers)
        .set({ passwordHash, inviteHash: null, inviteUntil: null, acceptedAt: now() })
        .where(open)
        .returning({ id: panelUsers.id }),
    },
    [sessions],
  );
  return accepted.length > 0;
}

/** Returns the account with this tenant slug and e-mail. */
export async function accountOf(db: Database, slug: string, email: string): Promise<Developer | null> {
  const mine = and(eq(panelUsers.tenantId, idOf(db, slug)), eq(panelUsers.email, email));
  const { users, owners } = await namedBatch(db, {
    users: db.select().from(panelUsers).where(mine),
    owners: db.select().from(tenants).where(eq(tenants.slug, slug)),
  });
  return pairOf(users, owners);
}

/** Replaces a password hash with outdated cost parameters, unless it has changed since it was read. */
export const rehash = (db: Database, user: PanelUser, passwordHash: string): Promise<unknown> =>
  db
    .update(panelUsers)
    .set({ passwordHash })
    .where(and(eq(panelUsers.id, user.id), eq(panelUsers.passwordHash, user.passwordHash ?? '')));

/** Removes a tenant's developer and ends their sessions. Returns whether the developer existed. */
export async function removeDeveloper({ tenantId, db }: TenantDatabase, id: number): Promise<boolean> {
  const one = and(eq(panelUsers.tenantId, tenantId), eq(panelUsers.id, id));
  const mine = db.select({ id: panelUsers.id }).from(panelUsers).where(one);
  const sessions = db.delete(panelSessions).where(sql`${panelSessions.userId} IN ${mine}`);
  const removal = { removed: db.delete(panelUsers).where(one).returning({ id: panelUsers.id }) };
  const { removed } = await namedBatch(db, removal, [sessions]);
  return removed.length > 0;
}

/** A limit on sign-in attempts of one source: `burst` at once, then one per `interval` (ms). */
export interface SignInThrottle {
  readonly source: string;
  readonly burst: number;
  readonly interval: number;
}

/**
 * Charges an attempt before it runs, and returns whether it may run. GCRA in one statement, so that concurrent
 * attempts can't exceed the limit.
 */
export async function mayGuess(db: Database, { source, burst, interval }: SignInThrottle): Promise<boolean> {
  const at = now();
  const rows = await db
    .insert(panelGuesses)
    .values({ source: sha256(source), until: at + interval })
    .onConflictDoUpdate({
      target: panelGuesses.source,
      set: { until: sql`max(${panelGuesses.until}, ${at}) + ${interval}` },
      setWhere: sql`${panelGuesses.until} <= ${at + (burst - 1) * interval}`,
    })
    .returning({ until: panelGuesses.until });
  return rows.length > 0;
}

/** Resets a source's throttle after a successful sign-in. */
export const forgiveGuesses = (db: Database, source: string): Promise<unknown> =>
  db.delete(panelGuesses).where(eq(panelGuesses.source, sha256(source)));

/** Chore that deletes expired panel sessions. */
export const forgetPanelSessions = deletes(panelSessions, () => sql`${panelSessions.until} < ${now()}`);

/** Chore that deletes expired sign-in throttles. */
export const forgetPanelGuesses = deletes(panelGuesses, () => sql`${panelGuesses.until} < ${now()}`);
