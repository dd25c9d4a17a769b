import type { Context } from 'hono';
import { sameText, sha256 } from '../../kernel/crypto/crypto.ts';
import { directory } from '../../kernel/data/database.ts';
import type { App } from '../../kernel/http/context.ts';
import {
  type CookieKind,
  clearCookie,
  formTokens,
  newId,
  readCookie,
  sendCookie,
  type Ticket,
} from './cookie.ts';
import { deviceOf } from './device.ts';
import type { Developer } from './people.ts';
import type { Audience } from './roles.ts';
import {
  developerOf,
  endSession,
  isAdminSession,
  openSession,
  recordUse,
  type SignedInDeveloper,
} from './store.ts';
import { hintOf, readHint } from './tenant-hint.ts';

/** A valid session of a page's audience. */
export interface PanelUserSession {
  readonly audience: Audience;
  readonly ticket: Ticket;
  /** The developer; null outside the developer panel. */
  readonly developer: SignedInDeveloper | null;
}

/** Returns the stored hash of a session. The super-admin's depends on their secret: changing it ends all sessions. */
const hashOf = (env: Env, kind: CookieKind, { id }: Ticket): string =>
  sha256(kind === 'admin' ? `${id}:${env.SUPER_ADMIN_TOKEN}` : id);

/** Returns the cookie for a page of this audience; `null` when a sign-in is required. */
export const ticketOf = (c: Context<App>, audience: Audience): Ticket | null =>
  audience === 'anyone' ? visitorOf(c) : readCookie(c, audience);

/** Returns the visitor cookie, which CSRF tokens are bound to before sign-in. Sets a new one if needed. */
function visitorOf(c: Context<App>): Ticket {
  const known = readCookie(c, 'visitor');
  if (known) return known;
  const fresh = { id: newId(), note: '' };
  sendCookie(c, 'visitor', fresh);
  return fresh;
}

/** Returns the session of a cookie; `null` when a sign-in is required. `env` may batch its database reads. */
export async function sessionOf(
  env: Env,
  audience: Audience,
  ticket: Ticket,
): Promise<PanelUserSession | null> {
  if (audience === 'anyone') return { audience, ticket, developer: null };
  const [db, hash] = [directory(env), hashOf(env, audience, ticket)];
  if (audience === 'admin') {
    return (await isAdminSession(db, hash)) ? { audience, ticket, developer: null } : null;
  }
  const developer = await developerOf(env, hash, readHint(ticket.note)?.id ?? null);
  return developer ? { audience, ticket, developer } : null;
}

/** Records in the background that a developer's session is in use. */
export function recordSessionUse(c: Context<App>, { ticket, developer }: PanelUserSession): void {
  const hash = hashOf(c.env, 'developer', ticket);
  const recorded = developer && recordUse(directory(c.env), hash, developer.usedAt);
  if (recorded) c.executionCtx.waitUntil(Promise.resolve(recorded));
}

/** Returns the stored hash of the developer's session that a request was sent in, or "". */
export function ownSessionHash(c: Context<App>): string {
  const ticket = readCookie(c, 'developer');
  return ticket ? hashOf(c.env, 'developer', ticket) : '';
}

/** Updates the hint in a developer's cookie. */
export const renewHint = (c: Context<App>, { id }: Ticket, { user, tenant }: Developer): void =>
  sendCookie(c, 'developer', { id, note: hintOf(user, tenant) });

/** Signs the super-admin in, with a fresh session id to prevent session fixation. */
export async function signInAdmin(c: Context<App>): Promise<Ticket> {
  const ticket = { id: newId(), note: '' };
  await openSession(directory(c.env), { ...sessionFor(c, 'admin', ticket), user: null });
  sendCookie(c, 'admin', ticket);
  return ticket;
}

/**
 * Signs a developer in, with a fresh session id. From then on the browser is known, see {@link knownDevice}. Returns null
 * if their password, which `user` has, is another one by now.
 */
export async function signInDeveloper(c: Context<App>, { user, tenant }: Developer): Promise<Ticket | null> {
  const ticket = { id: newId(), note: hintOf(user, tenant) };
  const opened = await openSession(directory(c.env), { ...sessionFor(c, 'developer', ticket), user });
  if (!opened) return null;
  sendCookie(c, 'device', { id: newId(), note: sha256(accountName(tenant.slug, user.email)) });
  sendCookie(c, 'developer', ticket);
  return ticket;
}

/** Returns what is stored of a new session beside its user. */
const sessionFor = (c: Context<App>, kind: CookieKind, ticket: Ticket) => ({
  hash: hashOf(c.env, kind, ticket),
  device: deviceOf(c.req.header('user-agent')),
});

/** Returns the name of an account by its shop's slug and its e-mail, both in lower case. */
export const accountName = (shop: string, email: string): string => `${shop}:${email}`;

/** Returns the id of the request's browser if the account (see {@link accountName}) signed in there before. No I/O. */
export function knownDevice(c: Context<App>, account: string): string | null {
  const device = readCookie(c, 'device');
  return device?.note === sha256(account) ? device.id : null;
}

/** Signs out: ends the stored session and deletes the cookie. */
export async function signOut(c: Context<App>, kind: 'admin' | 'developer'): Promise<void> {
  const ticket = readCookie(c, kind);
  if (ticket) await endSession(directory(c.env), hashOf(c.env, kind, ticket));
  clearCookie(c, kind);
}

/** Returns whether a form was sent from this origin. Missing Origin or Sec-Fetch-Site headers pass. */
export function isOwnOrigin(c: Context<App>): boolean {
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  if (origin !== undefined && origin !== new URL(c.req.url).origin) return false;
  return site === undefined || site === 'same-origin';
}

/** Returns whether a form carries a CSRF token that is valid for the sender's cookie. */
export const isFormOf = (c: Context<App>, { ticket }: PanelUserSession, token: string | undefined): boolean =>
  token !== undefined && formTokens(c.env, ticket.id).some((one) => sameText(token, one));
