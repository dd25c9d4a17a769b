import { z } from 'zod';
import { now } from '../../kernel/core/clock.ts';
import { isPublicAddress } from './ip-ranges.ts';

/** Where a host name leads. `unknown`: the resolver could not be asked. */
export type Lookup = 'public' | 'special' | 'nowhere' | 'unknown';

/** The resolver has this long (ms) to answer. */
const TIMEOUT = 5_000;
const RECORDS = { A: 1, AAAA: 28 } as const;

const Answer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
});

/**
 * Asks a DNS-over-HTTPS resolver (its JSON API, `application/dns-json`) for a host's A and AAAA records.
 * `special` as soon as one address is not public: which of them would be called is not ours to choose.
 * Never throws.
 */
export async function resolveHost(resolver: string, host: string): Promise<Lookup> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT);
  try {
    const answers = await Promise.all(
      (['A', 'AAAA'] as const).map((type) => ask(resolver, host, type, controller.signal)),
    );
    const addresses = answers.flat();
    if (addresses.length === 0) return 'nowhere';
    return addresses.every(isPublicAddress) ? 'public' : 'special';
  } catch {
    return 'unknown';
  } finally {
    clearTimeout(timer);
  }
}

/** What {@link resolveHost} is called as. */
export type LookUp = typeof resolveHost;

/** A verdict about a host holds for this long. */
const VERDICT_LIFE_MS = 60_000;

/**
 * Looks up the host of one webhook, and remembers the verdict for a minute. It keeps one host: another URL
 * replaces it. That the resolver could not be asked is not remembered.
 */
export class RecentLookup {
  #last: { readonly host: string; readonly until: number; readonly found: Promise<Lookup> } | null = null;

  readonly lookUp: LookUp = async (resolver, host) => {
    if (this.#last?.host !== host || this.#last.until <= now()) {
      this.#last = { host, until: now() + VERDICT_LIFE_MS, found: resolveHost(resolver, host) };
    }
    const asked = this.#last;
    const verdict = await asked.found;
    if (verdict === 'unknown' && this.#last === asked) this.#last = null;
    return verdict;
  };
}

async function ask(
  resolver: string,
  host: string,
  type: keyof typeof RECORDS,
  signal: AbortSignal,
): Promise<string[]> {
  const url = new URL(resolver);
  url.searchParams.set('name', host);
  url.searchParams.set('type', type);
  const response = await fetch(url, {
    headers: { accept: 'application/dns-json' },
    redirect: 'manual',
    signal,
  });
  if (!response.ok) throw new Error(`The resolver answered ${response.status}`);
  const { Status, Answer: records } = Answer.parse(await response.json());
  // 0 is NOERROR and 3 is NXDOMAIN (RFC 1035, 4.1.1); anything else says nothing about the name.
  if (Status !== 0 && Status !== 3) throw new Error(`The resolver failed with ${Status}`);
  return records.filter((record) => record.type === RECORDS[type]).map((record) => record.data);
}
