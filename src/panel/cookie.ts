import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { App } from '../kernel/call.ts';
import { digest62, keyVersion, randomBase62, sameText } from '../kernel/crypto.ts';

/** What a cookie is for: the super-admin's session, a developer's, or a visitor who has none yet. */
export type CookieKind = 'admin' | 'developer' | 'visitor';

const SHAPE = /^([0-9A-Za-z]{32})\.([1-9])([0-9A-Za-z]{22})$/;

/** Over https the browser lets nobody but this very host set the cookie (RFC 6265bis, 4.1.3.2). */
const nameOf = (c: Context<App>, kind: CookieKind): string => `${isSecure(c) ? '__Host-' : ''}sfe-${kind}`;

const isSecure = (c: Context<App>): boolean => new URL(c.req.url).protocol === 'https:';

const sign = (env: Env, version: string, kind: CookieKind, id: string): string =>
  digest62(env, version, `panel-cookie:${kind}`, id, 22);

/** The id in a cookie that we have signed, or `null`: a forged one touches no storage. */
export function readCookie(c: Context<App>, kind: CookieKind): string | null {
  const [, id, version, signature] = SHAPE.exec(getCookie(c, nameOf(c, kind)) ?? '') ?? [];
  if (!id || !version || !signature || !(`MASTER_KEY_V${version}` in c.env)) return null;
  return sameText(signature, sign(c.env, version, kind, id)) ? id : null;
}

/** Sets a signed cookie with a fresh id for `seconds`, and answers the id. */
export function giveCookie(c: Context<App>, kind: CookieKind, seconds: number): string {
  const id = randomBase62(32);
  const version = keyVersion(c.env);
  setCookie(c, nameOf(c, kind), `${id}.${version}${sign(c.env, version, kind, id)}`, {
    ...{ path: '/', httpOnly: true, sameSite: 'Lax', maxAge: seconds },
    secure: isSecure(c),
  });
  return id;
}

/** Has the browser forget a cookie. */
export function takeCookie(c: Context<App>, kind: CookieKind): void {
  setCookie(c, nameOf(c, kind), '', { path: '/', httpOnly: true, maxAge: 0, secure: isSecure(c) });
}

/** The token that every form of the cookie's holder carries (synchronizer token bound to the session). */
export const formToken = (env: Env, id: string): string =>
  digest62(env, keyVersion(env), 'panel-form', id, 32);
