import { invalid, ok, type Result } from '../kernel/core/result.ts';
import { checkPublicUrl, urlRules } from '../kernel/text/public-url.ts';
import { asUri } from '../kernel/text/uri.ts';

/** The rules for return URLs. */
export interface ReturnRules {
  readonly env: { DEV_ALLOW_LOCAL_URLS?: string; API_HOSTS?: string };
  /** The request URL: the service itself is not a valid return target. */
  readonly requestUrl: string;
  /** `settings.checkout.allowed_hosts`: host names, with a port where it isn't 443. */
  readonly hosts: readonly string[];
  /** The origins of the tenant's applications. */
  readonly origins: readonly string[];
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Validates a return URL: a public https URL on a host that the tenant allows, else a 422 for `field`. Local
 * development also allows http and loopback.
 */
export function checkReturnUrl(field: string, text: string, rules: ReturnRules): Result<URL> {
  const { env, requestUrl, hosts, origins } = rules;
  // Reject invalid ports first: the check below removes the port.
  if (!URL.canParse(text)) return invalid(field, 'must be an absolute https URL');
  // A non-default port is valid if the tenant lists it.
  const portless = text.replace(/^(https:\/\/[^/?#]*?):\d{1,5}(?=[/?#]|$)/i, '$1');
  const local = env.DEV_ALLOW_LOCAL_URLS === 'true' && LOOPBACK.test(new URL(text).hostname);
  // In local development, the demo storefront runs on the service's own host.
  const allowed = urlRules(env, local ? undefined : requestUrl);
  const checked = checkPublicUrl(text, allowed);
  if (!checked.ok && !checkPublicUrl(portless, allowed).ok) return invalid(field, checked.problem);
  const url = new URL(asUri(text));
  if (local || hosts.includes(url.host) || origins.includes(url.origin)) return ok(url);
  return invalid(field, 'must be on a host that the settings or an application allow');
}
