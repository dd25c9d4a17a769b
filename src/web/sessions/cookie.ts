import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import {
  digest62,
  hasKey,
  keyVersion,
  keyVersions,
  randomBase62,
  sameText,
} from '../../kernel/crypto/crypto.ts';
import type { App } from '../../kernel/http/context.ts';

/** Lifetime of a panel session and of its cookie, in seconds. */
export const SESSION_LIFETIME_S = 12 * 3600;

/** How long a browser is known after a developer signed in (s). */
const DEVICE_LIFETIME_S = 90 * 24 * 3600;

/**
 * The kinds of cookie: the super-admin's session, a developer's session, a visitor without a session, or a browser in
 * which a developer signed in before.
 */
export type CookieKind = 'admin' | 'developer' | 'visitor' | 'device';

/** The content of a signed cookie. */
export interface Ticket {
  readonly id: string;
  /** Data stored beside the id when the cookie was set; may be out of date. Letters, digits, `_` and `-` only. */
  readonly note: string;
}

const SHAPE = /^([0-9A-Za-z]{32})(?:\.([\w-]{1,500}))?\.([1-9])([0-9A-Za-z]{22})$/;

/** Over https, the `__Host-` prefix lets only this host set the cookie (RFC 6265bis, 4.1.3.2). */
const nameOf = (c: Context<App>, kind: CookieKind): string => `${isSecure(c) ? '__Host-' : ''}sfe-${kind}`;

const isSecure = (c: Context<App>): boolean => new URL(c.req.url).protocol === 'https:';

const serialize = ({ id, note }: Ticket): string => (note === '' ? id : `${id}.${note}`);

/** Returns the name of the key that signs cookies of this kind. */
const keyOf = (env: Env, version: string, kind: CookieKind) => ({
  env,
  version,
  purpose: `panel-cookie:${kind}`,
});

const SIGNATURE_LENGTH = 22;

/** Returns the content of a cookie whose signature is valid, else `null`. No I/O. */
export function readCookie(c: Context<App>, kind: CookieKind): Ticket | null {
  const [, id, note = '', version, signature] = SHAPE.exec(getCookie(c, nameOf(c, kind)) ?? '') ?? [];
  if (!id || !version || !signature || !hasKey(c.env, version)) return null;
  const ticket = { id, note };
  return sameText(signature, digest62(keyOf(c.env, version, kind), serialize(ticket), SIGNATURE_LENGTH))
    ? ticket
    : null;
}

function signed(env: Env, kind: CookieKind, ticket: Ticket): string {
  const version = keyVersion(env);
  const text = serialize(ticket);
  return `${text}.${version}${digest62(keyOf(env, version, kind), text, SIGNATURE_LENGTH)}`;
}

/** Returns the header field `Cookie` with which a browser sends this cookie. */
export const cookieOf = (c: Context<App>, kind: CookieKind, ticket: Ticket): string =>
  `${nameOf(c, kind)}=${signed(c.env, kind, ticket)}`;

/** Sends the browser a signed cookie for {@link SESSION_LIFETIME_S}, or for {@link DEVICE_LIFETIME_S}. */
export function sendCookie(c: Context<App>, kind: CookieKind, ticket: Ticket): void {
  setCookie(c, nameOf(c, kind), signed(c.env, kind, ticket), {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: kind === 'device' ? DEVICE_LIFETIME_S : SESSION_LIFETIME_S,
    secure: isSecure(c),
  });
}

/** Returns a random id for a new cookie (32 base62 characters, 190 bits). */
export const newId = (): string => randomBase62(32);

/** Makes the browser delete a cookie. */
export function clearCookie(c: Context<App>, kind: CookieKind): void {
  setCookie(c, nameOf(c, kind), '', { path: '/', httpOnly: true, maxAge: 0, secure: isSecure(c) });
}

/**
 * Returns the CSRF tokens that are valid for a cookie (synchronizer tokens bound to the session). New pages carry
 * the first; the others are valid for pages that were rendered under an earlier master key.
 */
export const formTokens = (env: Env, id: string): string[] =>
  keyVersions(env).map((version) => digest62({ env, version, purpose: 'panel-form' }, id, 32));
