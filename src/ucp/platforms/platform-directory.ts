import { DurableObject } from 'cloudflare:workers';
import { HOUR, now } from '../../kernel/core/clock.ts';
import { fetchProfile, type ProfileError } from './fetch-profile.ts';
import { type KnownProfile, KnownProfiles } from './known-profiles.ts';
import { type Limit, PermitLedger, type Permits, type ReportedDemand } from './permit-ledger.ts';
import type { PlatformProfile } from './profile-document.ts';
import { siteOf } from './site.ts';

/** The most fetches a minute of profiles of platforms that have never proved who they are. */
export const MAX_DISCOVERIES_PER_MINUTE = 60;
/** The most of them for one domain, so that its owner leaves the others to other platforms. */
export const MAX_DISCOVERIES_OF_DOMAIN = 20;
/** How often (ms) the object deletes what has ended. */
const CLEANING_INTERVAL_MS = HOUR;

/** A request for a profile. */
export interface ProfileRequest {
  readonly uri: string;
  /** Fetches it again although it is fresh: a signature names a key that it doesn't have. */
  readonly refresh?: boolean;
  /** The platform has an agreement with the tenant (an agent's token), so no budget applies. */
  readonly trusted?: boolean;
}

/** A profile and until when it is fresh (ms), or why there is none. `busy`: the budget is used up. */
export type ProfileAnswer =
  | { readonly ok: true; readonly profile: PlatformProfile; readonly freshUntil: number }
  | { readonly ok: false; readonly code: ProfileError | 'busy'; readonly retryIn: number };

/** An isolate's request for permits of one platform, with the usage of its earlier leases. */
export interface PermitRequest extends ReportedDemand {
  /** The limits that hold for the platform. */
  readonly limits: readonly Limit[];
  /** The URIs of the profiles that the platform has proved to be its own since the last request. */
  readonly verified: readonly string[];
}

/**
 * The platforms that call one tenant: their profiles with a fixed number of places, a budget of fetches for
 * unknown ones, and the exact limits of their requests, whose permits isolates lease. Named by the tenant's id.
 */
export class PlatformDirectory extends DurableObject<Env> {
  private readonly profiles = new KnownProfiles(this.ctx.storage.sql);
  private readonly permits = new PermitLedger(this.ctx.storage.sql);
  private readonly fetching = new Map<string, Promise<void>>();

  /**
   * Returns a platform's profile: from the cache while it is fresh, else fetched. A profile that failed is not
   * fetched again before its backoff ends. Concurrent requests share one fetch.
   */
  async profile({ uri, refresh = false, trusted = false }: ProfileRequest): Promise<ProfileAnswer> {
    const at = now();
    const known = this.profiles.find(uri, at);
    const isFresh = known !== null && at < known.freshUntil;
    const isWanted = !isFresh || (refresh && known.profile !== null && this.profiles.beginRefresh(uri, at));
    if (!isWanted) return answerOf(known, at);
    if (!this.fetching.has(uri) && !trusted && !known?.verified) {
      const retryIn = this.permits.take(discoveryLimits(uri), at);
      if (retryIn !== null) return { ok: false, code: 'busy', retryIn };
    }
    await this.refetch(uri);
    return answerOf(this.profiles.find(uri, now()), now());
  }

  /** Settles the reported usage, and grants a lease for the waiting requests and some expected ones. */
  async lease({ limits, verified, ...demand }: PermitRequest): Promise<Permits> {
    await this.ensureAlarm();
    for (const uri of verified) this.profiles.markVerified(uri);
    return this.permits.lease(limits, demand, now());
  }

  /** Deletes what has ended. */
  override async alarm(): Promise<void> {
    const hasProfiles = this.profiles.deleteUnused(now());
    const hasPermits = this.permits.clean(now());
    if (hasProfiles || hasPermits) await this.ensureAlarm();
  }

  private refetch(uri: string): Promise<void> {
    const pending = this.fetching.get(uri);
    if (pending) return pending;
    const fetched = fetchProfile(this.env, uri)
      .then(async (outcome) => {
        await this.ensureAlarm();
        this.profiles.store(uri, outcome, now());
      })
      .finally(() => this.fetching.delete(uri));
    this.fetching.set(uri, fetched);
    return fetched;
  }

  private async ensureAlarm(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return;
    await this.ctx.storage.setAlarm(Date.now() + CLEANING_INTERVAL_MS);
  }
}

/** Returns the limits on fetches of unknown profiles that hold for one. */
const discoveryLimits = (uri: string): readonly Limit[] => [
  { key: 'discoveries', most: MAX_DISCOVERIES_PER_MINUTE },
  { key: `discoveries ${siteOf(uri)}`, most: MAX_DISCOVERIES_OF_DOMAIN },
];

function answerOf(known: KnownProfile | null, at: number): ProfileAnswer {
  if (known?.profile) return { ok: true, profile: known.profile, freshUntil: known.freshUntil };
  const [code, until] = known ? [known.error, known.freshUntil] : [null, at];
  return { ok: false, code: code ?? 'profile_unreachable', retryIn: Math.max(0, until - at) };
}
