import { and, eq, gt, sql } from 'drizzle-orm';
import { now } from '../../kernel/core/clock.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { type Database, directory, namedBatch } from '../../kernel/data/database.ts';
import { markUnclaimed, type SentKey } from '../../kernel/data/idempotency-keys.ts';
import { type Developer, idOf, withTenant } from './people.ts';
import { endSessions } from './store.ts';
import { type PanelUser, panelSessions, panelUsers } from './tables.ts';

const invitation = (token: string) =>
  and(eq(panelUsers.inviteHash, sha256(token)), gt(panelUsers.inviteUntil, now()));

/** Returns whom a one-time link is for; `null` when it is unknown, used or expired. */
export async function invited(env: Env, token: string): Promise<Developer | null> {
  const [user] = await directory(env).select().from(panelUsers).where(invitation(token));
  return withTenant(env, user);
}

/** Sets a password by a one-time link, once, and ends the account's sessions. Returns `false` if it was used. */
export async function accept(db: Database, token: string, passwordHash: string): Promise<boolean> {
  const open = invitation(token);
  const invitee = db.select({ id: panelUsers.id }).from(panelUsers).where(open);
  const sessions = db.delete(panelSessions).where(sql`${panelSessions.userId} IN ${invitee}`);
  const { accepted } = await namedBatch(
    db,
    {
      accepted: db
        .update(panelUsers)
        .set({
          passwordHash,
          inviteHash: null,
          inviteUntil: null,
          acceptedAt: sql`coalesce(${panelUsers.acceptedAt}, ${now()})`,
        })
        .where(open)
        .returning({ id: panelUsers.id }),
    },
    [sessions],
  );
  return accepted.length > 0;
}

/** Returns the account with this tenant slug and e-mail. One query, whether there is one or not. */
export async function accountOf(env: Env, slug: string, email: string): Promise<PanelUser | undefined> {
  const db = directory(env);
  const named = and(eq(panelUsers.tenantId, idOf(db, slug)), eq(panelUsers.email, email));
  const [user] = await db.select().from(panelUsers).where(named);
  return user;
}

/** Replaces a password hash with outdated cost parameters, unless it has changed since it was read. */
export const rehash = (db: Database, user: PanelUser, passwordHash: string): Promise<unknown> =>
  db
    .update(panelUsers)
    .set({ passwordHash })
    .where(and(eq(panelUsers.id, user.id), eq(panelUsers.passwordHash, user.passwordHash ?? '')));

/**
 * Changes a password, unless it has changed since it was read, ends the user's sessions except the one with this hash, and
 * marks the form's key. Returns whether it was changed.
 */
export async function changePassword(
  db: Database,
  user: PanelUser,
  { passwordHash, keep, once }: { passwordHash: string; keep: string; once: SentKey | null },
): Promise<boolean> {
  const isAsRead = sql`EXISTS (SELECT 1 FROM ${panelUsers} WHERE id = ${user.id} AND password_hash = ${user.passwordHash ?? ''})`;
  const { changed } = await namedBatch(
    db,
    {
      changed: db
        .update(panelUsers)
        .set({ passwordHash, inviteHash: null, inviteUntil: null })
        .where(and(eq(panelUsers.id, user.id), eq(panelUsers.passwordHash, user.passwordHash ?? '')))
        .returning({ id: panelUsers.id }),
    },
    [endSessions(db, user.id, keep), ...(once ? [markUnclaimed(db, once, isAsRead)] : [])],
  );
  return changed.length > 0;
}
