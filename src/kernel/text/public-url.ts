import { domainToASCII, domainToUnicode } from 'node:url';
import { asUri } from './uri.ts';

/** What {@link checkPublicUrl} allows beyond, and excludes from, public https URLs. */
interface UrlRules {
  /** For local development: also allows loopback hosts, by http too and on any port. */
  readonly allowLocal: boolean;
  /** This service's own hosts, with the port unless it is 443. */
  readonly ownHosts: readonly string[];
}

/** A public URL as {@link asUri} writes it, or the validation message for its field. */
type UrlCheck = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly problem: string };

/** The longest URL in UTF-16 units. */
const MAX_LENGTH = 2_048;
/** Names that never resolve to a public server (RFC 6761, 6762, 7686, 8375, 9476 and ICANN's `.internal`). */
const PRIVATE_ZONES =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|lan|home|corp|arpa|onion|alt|invalid)$/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns whether a host name is this machine's own. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

const refused = (problem: string): UrlCheck => ({ ok: false, problem });
const tooLong = refused(`must have at most ${MAX_LENGTH} characters`);

/** Returns the rules from `DEV_ALLOW_LOCAL_URLS`, `API_HOSTS` (comma-separated) and the request's host. */
export function urlRules(
  env: { DEV_ALLOW_LOCAL_URLS?: string; API_HOSTS?: string },
  requestUrl?: string,
): UrlRules {
  const named = (env.API_HOSTS ?? '').split(',').flatMap((host) => host.trim().toLowerCase() || []);
  return {
    allowLocal: env.DEV_ALLOW_LOCAL_URLS === 'true',
    ownHosts: requestUrl ? [...named, new URL(requestUrl).host] : named,
  };
}

/**
 * Checks whether a URL from outside may be fetched or redirected to: https on port 443, no user info, a
 * public host name of at least two labels, no IP address in any notation, none of our own hosts. Parses it
 * as fetch does (WHATWG URL), so the checked URL is the fetched one. Does not resolve the host name.
 */
export function checkPublicUrl(text: string, { allowLocal, ownHosts }: UrlRules): UrlCheck {
  if (text.length > MAX_LENGTH) return tooLong;
  // The parser drops tabs and line breaks and reads "\" as "/", which can disguise the host.
  if (/[\p{Cc}\s\\]/u.test(text)) return refused('must not contain spaces, control characters or "\\"');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (!authority || !URL.canParse(text)) return refused('must be a full https URL');
  if (authority.includes('@')) return refused('must not contain a user name or password');
  const url = new URL(asUri(text));
  if (url.href.length > MAX_LENGTH) return tooLong;
  const isLocal = allowLocal && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) return refused('must be an https URL');
  if (ownHosts.includes(url.host)) return refused('must not point to this service');
  if (isLocal) return { ok: true, url };
  if (url.port !== '') return refused('must use the standard port');
  const problem = hostProblem(url.hostname);
  return problem ? refused(problem) : { ok: true, url };
}

/**
 * Returns the validation message for a host name, or `null`. Expects the URL parser's form: lower case,
 * IDN as punycode, IPv4 in four parts.
 */
function hostProblem(host: string): string | null {
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return 'must name a host, not an IP address';
  if (host.endsWith('.')) return 'must not have a host that ends with a dot';
  const labels = host.split('.');
  if (labels.length < 2 || PRIVATE_ZONES.test(host)) return 'must have a public host';
  const wellFormed = host.length <= 253 && labels.every((label) => LABEL.test(label) && isReadable(label));
  return wellFormed ? null : 'must have a valid host name';
}

/** Returns whether a punycode label (RFC 3492) is well-formed: it survives a round trip through Unicode. */
function isReadable(label: string): boolean {
  if (!label.startsWith('xn--')) return true;
  const name = domainToUnicode(label);
  return name !== label && domainToASCII(name) === label;
}
