import { domainToASCII, domainToUnicode } from 'node:url';
import { asUri } from './uri.ts';

/** What a URL is held against. */
export interface UrlRules {
  /** On a developer's machine: http, and hosts of this machine on any port, are fine as well. */
  readonly allowLocal: boolean;
  /** Hosts (with their port, if it isn't 443) of this service itself. */
  readonly ownHosts: readonly string[];
}

/** A URL that is fit for the public internet, as {@link asUri} writes it, or what is wrong with it in words for its field. */
export type UrlCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly problem: string };

/** The longest URL that is taken, in characters. */
const MAX_LENGTH = 2_048;
/** Names that never lead to a public server (RFC 6761, 6762, 7686, 8375, 9476 and ICANN's `.internal`). */
const PRIVATE_ZONES =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|lan|home|corp|arpa|onion|alt|invalid)$/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const refused = (problem: string): UrlCheck => ({ ok: false, problem });
const tooLong = refused(`must have at most ${MAX_LENGTH} characters`);

/** The rules in force: `DEV_ALLOW_LOCAL_URLS`, and the hosts that this request and `API_HOSTS` (a comma list) name. */
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
 * Whether a URL that somebody gave us may be called or redirected to: https on port 443, no user info, a
 * public host name with at least two labels, no IP address in any notation, none of our own hosts. The URL
 * is read as fetch reads it (WHATWG URL), so what passes here is what is called. No I/O: where the name
 * leads is another question.
 */
export function checkPublicUrl(text: string, { allowLocal, ownHosts }: UrlRules): UrlCheck {
  if (text.length > MAX_LENGTH) return tooLong;
  // The parser drops tabs and line breaks and reads "\" as "/": a URL that needs that is a trick.
  if (/[\p{Cc}\s\\]/u.test(text)) return refused('must not contain spaces, control characters or "\\"');
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (!authority || !URL.canParse(text)) return refused('must be a full https URL');
  if (authority.includes('@')) return refused('must not contain a user name or password');
  const url = new URL(asUri(text));
  if (url.href.length > MAX_LENGTH) return tooLong;
  if (url.protocol !== 'https:' && !allowLocal) return refused('must be an https URL');
  if (ownHosts.includes(url.host)) return refused('must not lead back to this service');
  if (allowLocal && LOOPBACK.test(url.hostname)) return { ok: true, url };
  if (url.port !== '') return refused('must use the standard port');
  const problem = hostProblem(url.hostname);
  return problem ? refused(problem) : { ok: true, url };
}

/** What is wrong with a host name as the URL parser wrote it: lower case, IDN as punycode, IPv4 in four parts. */
function hostProblem(host: string): string | null {
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return 'must name a host, not an IP address';
  if (host.endsWith('.')) return 'must not have a host that ends with a dot';
  const labels = host.split('.');
  if (labels.length < 2 || PRIVATE_ZONES.test(host)) return 'must have a public host';
  const wellFormed = host.length <= 253 && labels.every((label) => LABEL.test(label) && isReadable(label));
  return wellFormed ? null : 'must have a valid host name';
}

/** A label in punycode (RFC 3492) must be what its Unicode form is written as: a broken one stays as it is. */
function isReadable(label: string): boolean {
  if (!label.startsWith('xn--')) return true;
  const name = domainToUnicode(label);
  return name !== label && domainToASCII(name) === label;
}
