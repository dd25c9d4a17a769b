import { checkPublicUrl, urlRules } from '../kernel/core/public-url.ts';
import { invalid, ok, type Result } from '../kernel/core/result.ts';
import { asUri } from '../kernel/core/uri.ts';

/** What decides whether a shopper may be sent to a URL. */
export interface ReturnRules {
  readonly env: { DEV_ALLOW_LOCAL_URLS?: string; API_HOSTS?: string };
  /** The URL of the request: the service itself is no place to return to. */
  readonly requestUrl: string;
  /** `settings.checkout.allowed_hosts`: host names, with a port where it isn't 443. */
  readonly hosts: readonly string[];
  /** The origins of the tenant's applications. */
  readonly origins: readonly string[];
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Whether a shopper may be sent to this URL after checkout: a public https URL on a host that the tenant
 * has allowed, else a 422 of `field`. On a developer's machine http and loopback are fine as well.
 */
export function checkReturnUrl(field: string, text: string, rules: ReturnRules): Result<URL> {
  const { env, requestUrl, hosts, origins } = rules;
  // Below, a port is looked past: one that doesn't exist has to be refused before.
  if (!URL.canParse(text)) return invalid(field, 'must be a full https URL');
  // A port of its own is fine where the tenant has named it.
  const portless = text.replace(/^(https:\/\/[^/?#]*?):\d{1,5}(?=[/?#]|$)/i, '$1');
  const local = env.DEV_ALLOW_LOCAL_URLS === 'true' && LOOPBACK.test(new URL(text).hostname);
  // On a developer's machine the demo shop is on the service's own host.
  const allowed = urlRules(env, local ? undefined : requestUrl);
  const checked = checkPublicUrl(text, allowed);
  if (!checked.ok && !checkPublicUrl(portless, allowed).ok) return invalid(field, checked.problem);
  const url = new URL(asUri(text));
  if (local || hosts.includes(url.host) || origins.includes(url.origin)) return ok(url);
  return invalid(field, 'must be on one of the hosts that the settings or an application allow');
}
