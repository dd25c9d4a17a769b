import { checkPublicUrl, urlRules } from '../../kernel/core/public-url.ts';
import { type LookUp, type Lookup, resolveHost } from './dns.ts';

/** A URL that may be called, as it is kept, or what is wrong with it in words for its field. */
export type Verdict =
  | { readonly ok: true; readonly url: string; readonly host: Lookup | 'unasked' }
  | { readonly ok: false; readonly problem: string };

/**
 * Holds a webhook's URL against the rules, and its host's addresses, where `DOH_URL` names a resolver.
 * A name that leads nowhere, or can't be asked for right now, is let through with that word: it may be
 * saved, but not called. Neither a developer's own machine nor its names are in public DNS, so nothing is
 * asked under `DEV_ALLOW_LOCAL_URLS`. Never throws.
 */
export async function guardUrl(
  env: Env,
  text: string,
  requestUrl?: string,
  look: LookUp = resolveHost,
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
