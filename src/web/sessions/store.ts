import { and, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { HOUR, isRecent, now } from '../../kernel/core/clock.ts';
import { deletes } from '../../kernel/data/chore.ts';
import { type Database, directory, namedBatch, run } from '../../kernel/data/database.ts';
import { tenantWithId } from '../../tenants/index.ts';
import { SESSION_LIFETIME_S } from './cookie.ts';
import { type Developer, withTenant } from './people.ts';
import { type PanelSession, type PanelUser, panelSessions, panelUsers } from './tables.ts';

/** How often (ms) a session's last use is recorded at most. */
const USE_INTERVAL_MS = HOUR;

/** The most sessions that their list shows. */
const MAX_SESSIONS_SHOWN = 20;

/** A session to open. `user` is null for the super-admin, `device` the browser and system in words. */
interface NewSession extends Pick<PanelSession, 'hash' | 'device'> {
  readonly user: Pick<PanelUser, 'id' | 'passwordHash'> | null;
}

/** Opens a session, if the user still has the password that was checked. Returns whether it was opened. */
export async function openSession(db: Database, { hash, device, user }: NewSession): Promise<boolean> {
  const [at, until] = [now(), now() + SESSION_LIFETIME_S * 1000];
  const unchanged = user
    ? sql`EXISTS (SELECT 1 FROM ${panelUsers}
        WHERE ${panelUsers.id} = ${user.id} AND ${panelUsers.passwordHash} = ${user.passwordHash})`
    : sql`TRUE`;
  const { meta } = await run(
    db,
    sql`INSERT INTO panel_sessions (hash, user_id, until, started_at, used_at, device)
      SELECT ${hash}, ${user?.id ?? null}, ${until}, ${at}, ${at}, ${device} WHERE ${unchanged}`,
  );
  return meta.changes > 0;
}

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

/** A signed-in developer, and when their session was last used (ms, at most an hour old). */
export interface SignedInDeveloper extends Developer {
  readonly usedAt: number;
}

/**
 * Returns the developer of a live session, with the tenant. The tenant that the cookie names (`hinted`) is read beside
 * the session.
 */
export async function developerOf(
  env: Env,
  hash: string,
  hinted: number | null,
): Promise<SignedInDeveloper | null> {
  const db = directory(env);
  const user = db.select({ id: panelSessions.userId }).from(panelSessions).where(live(hash));
  const [{ uses, users }, expected] = await Promise.all([
    namedBatch(db, {
      uses: db.select({ usedAt: panelSessions.usedAt }).from(panelSessions).where(live(hash)),
      users: db.select().from(panelUsers).where(sql`${panelUsers.id} = ${user}`),
    }),
    hinted === null ? null : tenantWithId(env, hinted),
  ]);
  const pair = await withTenant(env, users[0], expected);
  return pair && { ...pair, usedAt: uses[0]?.usedAt ?? 0 };
}

/** Records that a session is in use, at most once an hour. Returns nothing to wait for if it was recorded. */
export function recordUse(db: Database, hash: string, usedAt: number): Promise<unknown> | null {
  const at = now();
  if (isRecent(usedAt, USE_INTERVAL_MS, at)) return null;
  return db
    .update(panelSessions)
    .set({ usedAt: at })
    .where(and(eq(panelSessions.hash, hash), eq(panelSessions.usedAt, usedAt)));
}

/** Returns the live sessions of the user to whom a session belongs, the latest first. */
export const listSessions = (db: Database, hash: string): Promise<PanelSession[]> =>
  db
    .select()
    .from(panelSessions)
    .where(
      and(
        sql`${panelSessions.userId} = (SELECT user_id FROM panel_sessions WHERE ${live(hash)})`,
        gt(panelSessions.until, now()),
      ),
    )
    .orderBy(desc(panelSessions.startedAt))
    .limit(MAX_SESSIONS_SHOWN);

/** Returns the statement that ends a user's sessions, except the one with the hash `keep`. */
export const endSessions = (db: Database, userId: number, keep: string) =>
  db.delete(panelSessions).where(and(eq(panelSessions.userId, userId), ne(panelSessions.hash, keep)));

/** Ends one of a user's sessions, named by the start of its hash. Returns whether it was open. */
export async function endOwnSession(db: Database, userId: number, start: string): Promise<boolean> {
  const named = sql`substr(${panelSessions.hash}, 1, ${start.length}) = ${start}`;
  const ended = await db
    .delete(panelSessions)
    .where(and(eq(panelSessions.userId, userId), named))
    .returning({ hash: panelSessions.hash });
  return ended.length > 0;
}

/** Sweep of expired panel sessions. */
export const forgetPanelSessions = deletes(panelSessions, () => sql`${panelSessions.until} < ${now()}`);
