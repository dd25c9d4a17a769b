import type { Context } from 'hono';
import type { App } from '../kernel/call.ts';
import { sameText, sha256 } from '../kernel/crypto.ts';
import { database } from '../kernel/database.ts';
import { type CookieKind, formToken, giveCookie, readCookie, takeCookie } from './cookie.ts';
import type { Audience } from './page.ts';
import { type Developer, developerOf, endSession, isAdminSession, openSession, SESSION } from './store.ts';

/** Somebody who may come in: which cookie they hold, and who they are. */
export interface Guest {
  /** The id in the cookie that their forms are bound to. */
  readonly id: string;
  readonly developer: Developer | null;
}

/** A session's hash; the super-admin's ends when their secret is changed. */
const hashOf = (env: Env, kind: CookieKind, id: string): string =>
  sha256(kind === 'admin' ? `${id}:${env.SUPER_ADMIN_TOKEN}` : id);

/** Who asks for a page of this audience; `null` when they have to sign in. */
export async function guestOf(c: Context<App>, audience: Audience): Promise<Guest | null> {
  if (audience === 'anyone') return { id: visitorId(c), developer: null };
  const id = readCookie(c, audience);
  if (!id) return null;
  const [db, hash] = [database(c.env), hashOf(c.env, audience, id)];
  if (audience === 'admin') return (await isAdminSession(db, hash)) ? { id, developer: null } : null;
  const developer = await developerOf(db, hash);
  return developer ? { id, developer } : null;
}

/** Before anybody signs in their forms are bound to a cookie of their own. */
const visitorId = (c: Context<App>): string => readCookie(c, 'visitor') ?? giveCookie(c, 'visitor', SESSION);

/** Signs somebody in: a fresh id each time, so that none can be planted. `user` is null for the super-admin. */
export async function signIn(c: Context<App>, user: number | null): Promise<void> {
  const kind = user === null ? 'admin' : 'developer';
  const id = giveCookie(c, kind, SESSION);
  await openSession(database(c.env), hashOf(c.env, kind, id), user);
}

/** Signs out: the session ends here, and the browser forgets the cookie. */
export async function signOut(c: Context<App>, kind: 'admin' | 'developer'): Promise<void> {
  const id = readCookie(c, kind);
  if (id) await endSession(database(c.env), hashOf(c.env, kind, id));
  takeCookie(c, kind);
}

/**
 * Whether a form comes from one of our own pages: the browser says so (Origin, Sec-Fetch-Site), and it
 * carries the token that is bound to its sender's cookie.
 */
export function isOurForm(c: Context<App>, guest: Guest, token: string | undefined): boolean {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  if (origin !== undefined && origin !== new URL(c.req.url).origin) return false;
  if (site !== undefined && site !== 'same-origin') return false;
  return token !== undefined && sameText(token, formToken(c.env, guest.id));
}
