import { now } from '../../kernel/core/clock.ts';
import { WeighedMap } from '../../kernel/core/weighed-map.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { type Checked, done, type Refused, refusedWith } from '../protocol/outcome.ts';
import type { ProfileAnswer, ProfileRequest } from './platform-directory.ts';
import type { PlatformProfile } from './profile-document.ts';

/** What finds a tenant's platforms. */
type DirectoryContext = Pick<TenantContext, 'env' | 'tenantId'>;

/** How long (ms) an isolate uses a profile without asking the tenant's object again. */
const REUSED_FOR_MS = 10_000;
/**
 * The most characters of profiles (as JSON) that an isolate remembers, and what is counted for each beside its own; the
 * oldest are evicted. In memory a profile takes up to five times that, so no number of profiles bounds it.
 */
const MAX_REMEMBERED_LENGTH = 2_000_000;
const ENTRY_OVERHEAD = 1_000;

/** Profiles by tenant and URI: no tenant learns from the cache what another one's agents use. */
const remembered = new WeighedMap<string, RememberedProfile>(MAX_REMEMBERED_LENGTH);

/** A profile that the isolate remembers until `until` (ms). */
interface RememberedProfile {
  readonly profile: PlatformProfile;
  readonly until: number;
  /** Whether it was asked for with `refresh`, which is not repeated before `until`. */
  readonly refreshed: boolean;
}

const keyOf = ({ tenantId }: DirectoryContext, uri: string): string => `${tenantId} ${uri}`;

/** Returns the profile that this isolate remembers. */
function recall(ctx: DirectoryContext, uri: string): RememberedProfile | undefined {
  const recent = remembered.get(keyOf(ctx, uri));
  return recent && now() < recent.until ? recent : undefined;
}

/** Returns whether this isolate remembers a platform's profile, so that nobody has to be asked for it. */
export const isRemembered = (ctx: DirectoryContext, uri: string): boolean => recall(ctx, uri) !== undefined;

/** Returns the stub of a tenant's directory. */
export const directoryOf = ({ env, tenantId }: DirectoryContext) =>
  tenantObject(env.PLATFORM_DIRECTORY, { tenantId });

/**
 * Returns a platform's profile: remembered for ten seconds in this isolate, else from the tenant's directory, which
 * fetches it if it has to. `refresh` asks for a new one, once in that time; no budget applies to `trusted` (see
 * {@link ProfileRequest}).
 */
export async function platformProfile(
  ctx: DirectoryContext,
  uri: string,
  how: Omit<ProfileRequest, 'uri'> = {},
): Promise<Checked<PlatformProfile>> {
  const recent = recall(ctx, uri);
  const { refresh: refreshed = false } = how;
  if (recent && (recent.refreshed || !refreshed)) return done(recent.profile);
  const answer = await ask(ctx, { ...how, uri });
  const key = keyOf(ctx, uri);
  remembered.delete(key);
  if (answer === null) return refusedWith(UNAVAILABLE);
  if (!answer.ok) return refusalOf(answer);
  const { profile } = answer;
  const until = Math.min(now() + REUSED_FOR_MS, answer.freshUntil);
  remembered.set(key, { profile, refreshed, until }, JSON.stringify(profile).length + ENTRY_OVERHEAD);
  return done(profile);
}

const UNAVAILABLE = {
  status: 503,
  code: 'unavailable',
  content: 'The profile cannot be looked up now.',
  retryAfter: 1,
} as const;

/** Asks the directory; null if it can't be reached. */
async function ask(ctx: DirectoryContext, request: ProfileRequest): Promise<ProfileAnswer | null> {
  try {
    return await directoryOf(ctx).profile(request);
  } catch {
    return null;
  }
}

/** The HTTP status and text of each reason why there is no profile. */
const REASONS = {
  invalid_profile_url: [400, 'The profile URL must be https, of a public host that resolves.'],
  profile_unreachable: [424, 'The profile could not be fetched: no answer in time, a redirect or an error.'],
  profile_malformed: [422, 'The profile is not valid JSON of the schema, or is too large.'],
} as const;

function refusalOf({ code, retryIn }: ProfileAnswer & { ok: false }): Refused {
  const retryAfter = Math.max(1, Math.ceil(retryIn / 1_000));
  if (code === 'busy') {
    return refusedWith({
      ...UNAVAILABLE,
      content: 'Too many unknown platforms at once; try again.',
      retryAfter,
    });
  }
  const [status, content] = REASONS[code];
  return refusedWith({ status, code, content, retryAfter });
}
