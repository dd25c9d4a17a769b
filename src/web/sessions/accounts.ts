import { and, eq, gt, sql } from 'drizzle-orm';
import { now } from '../../kernel/core/clock.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { type Database, namedBatch } from '../../kernel/data/database.ts';
import { tenants } from '../../tenants/index.ts';
import { type Developer, idOf, pairOf } from './people.ts';
import { endSessions } from './store.ts';
import { type PanelUser, panelSessions, panelUsers } from './tables.ts';

const invitation = (token: string) =>
  and(eq(panelUsers.inviteHash, sha256(token)), gt(panelUsers.inviteUntil, now()));

/** Returns whom a one-time link is for; `null` when it is unknown, used or expired. */
export async function invited(db: Database, token: string): Promise<Developer | null> {
  const open = invitation(token);
  const tenantId = db.select({ id: panelUsers.tenantId }).from(panelUsers).where(open);
  const { users, owners } = await namedBatch(db, {
    users: db.select().from(panelUsers).where(open),
    owners: db.select().from(tenants).where(sql`${tenants.id} = ${tenantId}`),
  });
  return pairOf(users, owners);
}

/** Sets a password by a one-time link, once, and ends the account's sessions. Returns `false` if it was used. */
export async function accept(db: Database, token: string, passwordHash: string): Promise<boolean> {
  const open = invitation(token);
  const mine = db.select({ id: panelUsers.id }).from(panelUsers).where(open);
  const sessions = db.delete(panelSessions).where(sql`${panelSessions.userId} IN ${mine}`);
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

/**
 * Changes a password, unless it has changed since it was read, and ends the user's sessions except the one with
 * this hash. Returns whether it was changed.
 */
export async function changePassword(
  db: Database,
  user: PanelUser,
  { passwordHash, keep }: { passwordHash: string; keep: string },
): Promise<boolean> {
  const { changed } = await namedBatch(
    db,
    {
      changed: db
        .update(panelUsers)
        .set({ passwordHash, inviteHash: null, inviteUntil: null })
        .where(and(eq(panelUsers.id, user.id), eq(panelUsers.passwordHash, user.passwordHash ?? '')))
        .returning({ id: panelUsers.id }),
    },
    [endSessions(db, user.id, keep)],
  );
  return changed.length > 0;
}
