import { checkPublicUrl, urlRules } from '../../kernel/text/public-url.ts';
import { type LookUp, type Lookup, resolveHost } from './dns.ts';

/** The normalized URL with its lookup, or a validation message for the field. */
export type Verdict =
  | { readonly ok: true; readonly url: string; readonly host: Lookup | 'unasked' }
  | { readonly ok: false; readonly problem: string };

/** How a URL is checked: against the service's own host in `requestUrl`, and with which resolver. */
interface UrlChecks {
  readonly requestUrl?: string;
  readonly look?: LookUp;
}

/**
 * Validates a webhook's URL and, if `DOH_URL` is set, resolves its host; special addresses are refused. Hosts
 * without addresses and failed lookups pass with that result: the URL may be stored, but not called. Skips
 * DNS under `DEV_ALLOW_LOCAL_URLS`, because local names are not in public DNS. Never throws.
 */
export async function guardUrl(
  env: Env,
  text: string,
  { requestUrl, look = resolveHost }: UrlChecks = {},
): Promise<Verdict> {
  const rules = urlRules(env, requestUrl);
  const check = checkPublicUrl(text, rules);
  if (!check.ok) return check;
  const { href: url, hostname } = check.url;
  if (!env.DOH_URL || rules.allowLocal) return { ok: true, url, host: 'unasked' };
  const host = await look(env.DOH_URL, hostname);
  return host === 'special'
    ? { ok: false, problem: 'must have a host with public addresses only' }
    : { ok: true, url, host };
}
