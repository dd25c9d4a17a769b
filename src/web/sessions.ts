import type { Context } from 'hono';
import { sameText, sha256 } from '../kernel/crypto/crypto.ts';
import { database } from '../kernel/data/database.ts';
import type { App } from '../kernel/http/context.ts';
import type { TenantRow } from '../tenants/index.ts';
import {
  type CookieKind,
  formTokens,
  giveCookie,
  newId,
  readCookie,
  type Ticket,
  takeCookie,
} from './cookie.ts';
import type { Audience } from './page.ts';
import {
  type Developer,
  developerOf,
  endSession,
  isAdminSession,
  openSession,
  SESSION_LIFETIME_S,
} from './store.ts';
import { hintOf } from './tenant-hint.ts';

/** Somebody who may come in: which cookie they hold, and who they are. */
export interface PanelUserSession {
  readonly audience: Audience;
  readonly ticket: Ticket;
  /** Who they are, in the developer panel. */
  readonly developer: Developer | null;
}

/** A session's hash; the super-admin's ends when their secret is changed. */
const hashOf = (env: Env, kind: CookieKind, { id }: Ticket): string =>
  sha256(kind === 'admin' ? `${id}:${env.SUPER_ADMIN_TOKEN}` : id);

/** The cookie with which somebody comes to a page of this audience; `null` when they have to sign in. */
export const ticketOf = (c: Context<App>, audience: Audience): Ticket | null =>
  audience === 'anyone' ? visitorOf(c) : readCookie(c, audience);

/** Before anybody signs in their forms are bound to a cookie of their own. */
function visitorOf(c: Context<App>): Ticket {
  const known = readCookie(c, 'visitor');
  if (known) return known;
  const fresh = { id: newId(), note: '' };
  giveCookie(c, 'visitor', fresh, SESSION_LIFETIME_S);
  return fresh;
}

/** Who comes with a cookie; `null` when they have to sign in. `env` may be a gathered one. */
export async function guestOf(
  env: Env,
  audience: Audience,
  ticket: Ticket,
): Promise<PanelUserSession | null> {
  if (audience === 'anyone') return { audience, ticket, developer: null };
  const [db, hash] = [database(env), hashOf(env, audience, ticket)];
  if (audience === 'admin') {
    return (await isAdminSession(db, hash)) ? { audience, ticket, developer: null } : null;
  }
  const developer = await developerOf(db, hash);
  return developer ? { audience, ticket, developer } : null;
}

/** Notes in a developer's cookie what the tenant is like now. */
export const renewHint = (c: Context<App>, { id }: Ticket, tenant: TenantRow): void =>
  giveCookie(c, 'developer', { id, note: hintOf(tenant) }, SESSION_LIFETIME_S);

/** Signs the super-admin in: a fresh id each time, so that none can be planted. */
export const signInAdmin = (c: Context<App>): Promise<unknown> => signIn(c, 'admin', '', null);

/** Signs a developer in, likewise. */
export const signInDeveloper = (c: Context<App>, { user, tenant }: Developer): Promise<unknown> =>
  signIn(c, 'developer', hintOf(tenant), user.id);

function signIn(c: Context<App>, kind: 'admin' | 'developer', note: string, user: number | null) {
  const ticket = { id: newId(), note };
  giveCookie(c, kind, ticket, SESSION_LIFETIME_S);
  return openSession(database(c.env), hashOf(c.env, kind, ticket), user);
}

/** Signs out: the session ends here, and the browser forgets the cookie. */
export async function signOut(c: Context<App>, kind: 'admin' | 'developer'): Promise<void> {
  const ticket = readCookie(c, kind);
  if (ticket) await endSession(database(c.env), hashOf(c.env, kind, ticket));
  takeCookie(c, kind);
}

/** Whether a form comes from a page of this origin, as far as the browser says so (Origin, Sec-Fetch-Site). */
export function isOwnOrigin(c: Context<App>): boolean {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  if (origin !== undefined && origin !== new URL(c.req.url).origin) return false;
  return site === undefined || site === 'same-origin';
}

/** Whether a form carries the token that is bound to its sender's cookie. */
export const isFormOf = (c: Context<App>, { ticket }: PanelUserSession, token: string | undefined): boolean =>
  token !== undefined && formTokens(c.env, ticket.id).some((one) => sameText(token, one));
