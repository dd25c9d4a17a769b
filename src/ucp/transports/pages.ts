import type { Context } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import { respond, setHeaders } from '../../kernel/http/response.ts';
import { storefrontUrl } from '../../tenants/index.ts';
import type { UcpTenant } from '../context.ts';

/** The headers that a page's script may send. */
const ALLOWED_HEADERS =
  'Authorization, X-API-Key, Content-Type, Accept, Idempotency-Key, UCP-Agent, MCP-Protocol-Version, Content-Digest, Signature, Signature-Input';

/** Returns the response to a preflight (Fetch standard, 4.8), which names no agent; null for another request. */
export function preflight(c: Context<App>): Response | null {
  const origin = c.req.header('origin');
  const isPreflight = c.req.method === 'OPTIONS' && c.req.header('access-control-request-method');
  if (!origin || !isPreflight) return null;
  return respond(c, null, {
    status: 204,
    headers: {
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': '7200',
    },
  });
}

/**
 * Returns whether a request comes from no page of a browser, or from a page of the shop or of this service: MCP
 * demands it against DNS rebinding. Such a page's script may read the response.
 */
export function admitPage(c: Context<App>, { ucp, settings }: UcpTenant): boolean {
  const origin = c.req.header('origin');
  if (origin === undefined) return true;
  const storefront = storefrontUrl(settings);
  const hosts = (ucp.hosts ?? []).map((host) => `https://${host}`);
  const pages = [c.req.url, ...(storefront === undefined ? [] : [storefront])];
  if (![...pages.map((page) => new URL(page).origin), ...hosts].includes(origin)) return false;
  setHeaders(c, {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After',
  });
  return true;
}
