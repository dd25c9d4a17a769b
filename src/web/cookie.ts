import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { digest62, keyVersion, keyVersions, randomBase62, sameText } from '../kernel/crypto/crypto.ts';
import type { App } from '../kernel/http/context.ts';

/** What a cookie is for: the super-admin's session, a developer's, or a visitor who has none yet. */
export type CookieKind = 'admin' | 'developer' | 'visitor';

/** What a cookie of ours holds. */
export interface Ticket {
  readonly id: string;
  /** What was noted beside the id when the cookie was given; may be out of date. Of letters, digits, `_` and `-`. */
  readonly note: string;
}

const SHAPE = /^([0-9A-Za-z]{32})(?:\.([\w-]{1,500}))?\.([1-9])([0-9A-Za-z]{22})$/;

/** Over https the browser lets nobody but this very host set the cookie (RFC 6265bis, 4.1.3.2). */
const nameOf = (c: Context<App>, kind: CookieKind): string => `${isSecure(c) ? '__Host-' : ''}sfe-${kind}`;

const isSecure = (c: Context<App>): boolean => new URL(c.req.url).protocol === 'https:';

const written = ({ id, note }: Ticket): string => (note === '' ? id : `${id}.${note}`);

const sign = (env: Env, version: string, kind: CookieKind, text: string): string =>
  digest62(env, version, `panel-cookie:${kind}`, text, 22);

/** What is in a cookie that we have signed, or `null`: a forged one touches no storage. */
export function readCookie(c: Context<App>, kind: CookieKind): Ticket | null {
  const [, id, note = '', version, signature] = SHAPE.exec(getCookie(c, nameOf(c, kind)) ?? '') ?? [];
  if (!id || !version || !signature || !(`MASTER_KEY_V${version}` in c.env)) return null;
  const ticket = { id, note };
  return sameText(signature, sign(c.env, version, kind, written(ticket))) ? ticket : null;
}

/** Sets a signed cookie for `seconds`. */
export function giveCookie(c: Context<App>, kind: CookieKind, ticket: Ticket, seconds: number): void {
  const version = keyVersion(c.env);
  const text = written(ticket);
  setCookie(c, nameOf(c, kind), `${text}.${version}${sign(c.env, version, kind, text)}`, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: seconds,
    secure: isSecure(c),
  });
}

/** An id that nobody can guess, for a new cookie. */
export const newId = (): string => randomBase62(32);

/** Has the browser forget a cookie. */
export function takeCookie(c: Context<App>, kind: CookieKind): void {
  setCookie(c, nameOf(c, kind), '', { path: '/', httpOnly: true, maxAge: 0, secure: isSecure(c) });
}

/**
 * The tokens that a form of the cookie's holder may carry (synchronizer token bound to the session): the first is
 * written into pages, the others are of pages that were shown before the master key was changed.
 */
export const formTokens = (env: Env, id: string): string[] =>
  keyVersions(env).map((version) => digest62(env, version, 'panel-form', id, 32));
