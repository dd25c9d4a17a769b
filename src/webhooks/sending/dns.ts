import { z } from 'zod';
import { MINUTE, now } from '../../kernel/core/clock.ts';
import { isPublicAddress } from './ip-ranges.ts';

/**
 * The kind of addresses that a host resolves to. `nowhere`: none; `unresolvable`: its name servers fail; `unknown`: the
 * resolver failed.
 */
export type Lookup = 'public' | 'special' | 'nowhere' | 'unresolvable' | 'unknown';

/** Timeout of a lookup. */
const TIMEOUT_MS = 5_000;
const RECORDS = { A: 1, AAAA: 28 } as const;
type RecordType = keyof typeof RECORDS;

const Answer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
});

/**
 * Resolves a host's A and AAAA records with a DNS-over-HTTPS resolver (JSON API, `application/dns-json`).
 * Returns `special` if any address is not public, because `fetch` chooses which one it calls. Never throws.
 */
export async function resolveHost(resolver: string, host: string): Promise<Lookup> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const answers = await Promise.all(
      (['A', 'AAAA'] as const).map((type) =>
        queryRecords(queryUrl(resolver, host, type), type, controller.signal),
      ),
    );
    const addresses = answers.flatMap((found) => found ?? []);
    if (!addresses.every(isPublicAddress)) return 'special';
    if (answers.includes(null)) return 'unresolvable';
    return addresses.length > 0 ? 'public' : 'nowhere';
  } catch {
    return 'unknown';
  } finally {
    clearTimeout(timer);
    // Else a question that is still open would keep the webhook's object in memory, which is paid for.
    controller.abort();
  }
}

/** The signature of {@link resolveHost}. */
export type LookUp = typeof resolveHost;

/** Lifetime of a cached lookup. */
const LOOKUP_TTL_MS = MINUTE;

/**
 * Caches the lookup of one webhook's host for a minute. Holds one host: another one replaces it. Failed
 * lookups are not cached.
 */
export class RecentLookup {
  private last: { readonly host: string; readonly until: number; readonly found: Promise<Lookup> } | null =
    null;

  readonly lookUp: LookUp = async (resolver, host) => {
    if (this.last?.host !== host || this.last.until <= now()) {
      this.last = { host, until: now() + LOOKUP_TTL_MS, found: resolveHost(resolver, host) };
    }
    const current = this.last;
    const verdict = await current.found;
    if (verdict === 'unknown' && this.last === current) this.last = null;
    return verdict;
  };
}

function queryUrl(resolver: string, host: string, type: RecordType): URL {
  const url = new URL(resolver);
  url.searchParams.set('name', host);
  url.searchParams.set('type', type);
  return url;
}

/** Returns the addresses of one query, or null if the host's name servers fail. Throws if the resolver fails. */
async function queryRecords(url: URL, type: RecordType, signal: AbortSignal): Promise<string[] | null> {
  const response = await fetch(url, {
    headers: { accept: 'application/dns-json' },
    redirect: 'manual',
    signal,
  });
  if (!response.ok) throw new Error(`The resolver responded with ${response.status}`);
  const { Status, Answer: records } = Answer.parse(await response.json());
  // 0 is NOERROR and 3 is NXDOMAIN (RFC 1035, 4.1.1); 2 is SERVFAIL, of name servers that are down or signed wrongly.
  if (Status === 2) return null;
  if (Status !== 0 && Status !== 3) throw new Error(`The resolver failed with ${Status}`);
  return records.filter((record) => record.type === RECORDS[type]).map((record) => record.data);
}
