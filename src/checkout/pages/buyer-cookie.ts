import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { DAY } from '../../kernel/core/clock.ts';
import { digest62, keyVersion, sameText } from '../../kernel/crypto/crypto.ts';
import type { App } from '../../kernel/http/context.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import type { BuyerDraft } from '../buyer.ts';
import type { LoadedSession } from '../sessions/load-session.ts';

const NAME = 'buyer';
/** How long a browser shows what was entered in it (s). */
const MAX_AGE_S = DAY / 1000;

/** A request to the page of a checkout session. */
interface SessionRequest {
  readonly c: Context<App>;
  readonly loaded: LoadedSession;
}

/** Returns the keyed digest that a browser holds for a session's buyer data. */
const keyOf = ({ c, loaded }: SessionRequest, buyer: BuyerDraft): string =>
  digest62(
    { env: c.env, version: keyVersion(c.env), purpose: 'checkout-buyer' },
    `${loaded.session.digest}:${canonicalJson(buyer)}`,
    22,
  );

/**
 * Sets the cookie with which this browser sees the data that was entered in it. Everyone who has the cart's
 * token can get the page's URL, so that the URL alone does not show them.
 */
export function rememberBuyer(request: SessionRequest, buyer: BuyerDraft): void {
  const { c, loaded } = request;
  const cookie = generateCookie(NAME, keyOf(request, buyer), {
    path: `/checkout/${loaded.token}`,
    httpOnly: true,
    sameSite: 'Lax',
    secure: new URL(c.req.url).protocol === 'https:',
    maxAge: MAX_AGE_S,
  });
  setHeaders(c, { 'Set-Cookie': cookie });
}

/** Returns whether these buyer data were entered in the request's browser. */
export const knowsBuyer = (request: SessionRequest, buyer: BuyerDraft): boolean =>
  sameText(getCookie(request.c, NAME) ?? '', keyOf(request, buyer));
