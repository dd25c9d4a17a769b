import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { App } from '../../kernel/http/context.ts';
import { transportHeaders } from '../../kernel/http/https.ts';
import { respond } from '../../kernel/http/response.ts';
import { BODY_DEADLINE_MS, IncomingBody, isEncoded, mediaTypeOf } from '../../kernel/input/body.ts';
import { isEncodedUtf8 } from '../../kernel/input/url-text.ts';

/** The largest form body, in bytes. */
const MAX_FORM_BYTES = 32 * 1024;

/** When a page that is not available may be loaded again, as its text says (s). */
const RETRY_AFTER_S = 60;

/** A page to respond with. */
interface HtmlPage {
  /** The rendered page, which escapes every value. */
  readonly page: unknown;
  /** The CSP nonce of its style element. */
  readonly nonce: string;
  readonly status: ContentfulStatusCode;
}

/**
 * Responds with an HTML page under a strict CSP: no scripts, no framing. `form-action` allows any https host,
 * because a form's response can redirect to the shop or to a provider.
 */
export function html(c: Context<App>, { page, nonce, status }: HtmlPage): Response {
  const local = c.env.DEV_ALLOW_LOCAL_URLS === 'true' ? ' http:' : '';
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `img-src https:${local}`,
    `form-action 'self' https:${local}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return respond(c, `<!doctype html>${String(page)}`, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      'Cross-Origin-Opener-Policy': 'same-origin',
      ...transportHeaders(c.req.url),
      ...(status === 503 && { 'Retry-After': String(RETRY_AFTER_S) }),
    },
  });
}

/** Redirects to a URL. 303 changes the method to GET (RFC 9110, 15.4.4); downloads use 302. */
export const redirect = (c: Context<App>, url: string, status: 302 | 303 | 308 = 303): Response =>
  respond(c, null, { status, headers: { Location: url, 'Referrer-Policy': 'no-referrer' } });

/**
 * Returns whether a form was submitted from the same origin, by `Sec-Fetch-Site` or else `Origin`. A client
 * that sends neither is not a browser and needs the token anyway.
 */
export function isOwnForm(c: Context<App>): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = c.req.header('origin');
  return origin === undefined || origin === new URL(c.req.url).origin;
}

/**
 * Reads a form body. Fails with 415 for another media type or a compressed body, 413, 408, and 422 for
 * invalid UTF-8.
 */
export async function readForm(c: Context<App>): Promise<Result<URLSearchParams>> {
  const { raw } = c.req;
  if (isEncoded(raw.headers) || mediaTypeOf(raw.headers) !== 'application/x-www-form-urlencoded') {
    return fail('unsupported_media_type');
  }
  const read = await new IncomingBody(raw, { maxBytes: MAX_FORM_BYTES, deadlineMs: BODY_DEADLINE_MS }).all();
  if (!read.ok) return read;
  const text = new TextDecoder().decode(read.value);
  return isEncodedUtf8(text)
    ? ok(new URLSearchParams(text))
    : invalid('form', 'must be percent-encoded UTF-8');
}
