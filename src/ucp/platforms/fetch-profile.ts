import { MINUTE } from '../../kernel/core/clock.ts';
import { readUpTo } from '../../kernel/input/read-up-to.ts';
import { guardUrl } from '../../webhooks/index.ts';
import { type PlatformProfile, parseProfile } from './profile-document.ts';

/** Timeout of one fetch (ms), body included, and the most bytes of a profile. */
const TIMEOUT_MS = 5_000;
const MAX_PROFILE_BYTES = 128 * 1024;
/** How long (ms) a profile is served from the cache, whatever its `Cache-Control` says. */
export const MIN_TTL_MS = MINUTE;
const MAX_TTL_MS = 15 * MINUTE;

/** Why a profile is not available, as the protocol names it. */
export type ProfileError = 'invalid_profile_url' | 'profile_unreachable' | 'profile_malformed';

/** A fetched profile with its lifetime in the cache (ms), or the reason why there is none. */
export type Fetched =
  | { readonly ok: true; readonly profile: PlatformProfile; readonly ttl: number }
  | { readonly ok: false; readonly code: ProfileError };

const failed = (code: ProfileError): Fetched => ({ ok: false, code });

/**
 * Fetches a platform's profile from a URL that its request names: https, a public host (its addresses are looked
 * up), no redirect, at most 128 KiB within 5 seconds. Never throws.
 */
export async function fetchProfile(env: Env, uri: string): Promise<Fetched> {
  const verdict = await guardUrl(env, uri);
  if (!verdict.ok || verdict.host === 'nowhere') return failed('invalid_profile_url');
  if (verdict.host === 'unresolvable' || verdict.host === 'unknown') return failed('profile_unreachable');
  const controller = new AbortController();
  const { signal } = controller;
  // AbortSignal.timeout() would keep the object awake for the whole timeout.
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const headers = { accept: 'application/json', 'user-agent': 'Storefront-Edge-UCP/1' };
    const response = await fetch(verdict.url, { redirect: 'manual', signal, headers });
    if (!response.ok) {
      await response.body?.cancel();
      return failed('profile_unreachable');
    }
    const { text, whole } = await readUpTo(response.body, signal, MAX_PROFILE_BYTES + 1);
    if (!whole) return failed(signal.aborted ? 'profile_unreachable' : 'profile_malformed');
    const profile = parseProfile(uri, text);
    const ttl = lifetime(response.headers.get('cache-control'));
    return profile ? { ok: true, profile, ttl } : failed('profile_malformed');
  } catch {
    return failed('profile_unreachable');
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the lifetime that a `Cache-Control` asks for, within the bounds; the least without one. */
function lifetime(field: string | null): number {
  const [, seconds] = /(?:^|[\s,])(?:s-maxage|max-age)="?(\d{1,9})/i.exec(field ?? '') ?? [];
  return Math.min(Math.max(Number(seconds ?? 0) * 1_000, MIN_TTL_MS), MAX_TTL_MS);
}
