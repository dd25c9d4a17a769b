import { DAY, HOUR } from '../../kernel/core/clock.ts';
import { type Fetched, MIN_TTL_MS, type ProfileError } from './fetch-profile.ts';
import type { PlatformProfile } from './profile-document.ts';
import { siteOf } from './site.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS profiles (
    uri TEXT PRIMARY KEY, origin TEXT NOT NULL, profile TEXT, error TEXT, failures INTEGER NOT NULL DEFAULT 0,
    verified INTEGER NOT NULL DEFAULT 0, refreshedAt INTEGER NOT NULL DEFAULT 0, freshUntil INTEGER NOT NULL,
    usedAt INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS profiles_origin ON profiles (origin);`;

/**
 * The most profiles of a tenant that are remembered. Unproven ones are evicted first, then those of a domain beyond
 * {@link MAX_PROFILES_OF_DOMAIN}, then those used longest ago.
 */
export const MAX_PROFILES = 200;
/** A domain's share of the places: its owner can make as many profiles as they like, and prove each of them. */
export const MAX_PROFILES_OF_DOMAIN = 20;
/** How long (ms) a profile is remembered after its last use. */
const UNUSED_RETENTION_MS = 30 * DAY;
/** The longest wait (ms) before a profile that failed is fetched again. */
const MAX_BACKOFF_MS = HOUR;
/** `usedAt` is written at most this often (ms). */
const USE_INTERVAL_MS = MIN_TTL_MS;

/** A remembered profile, or the reason of its last failure. Times in ms. */
export interface KnownProfile {
  readonly profile: PlatformProfile | null;
  readonly error: ProfileError | null;
  /** Whether a signature or an agent's token has proved that the platform calls. */
  readonly verified: boolean;
  /** Until when no fetch is needed, or none is made after a failure. */
  readonly freshUntil: number;
}

type Row = {
  profile: string | null;
  error: ProfileError | null;
  verified: number;
  freshUntil: number;
  usedAt: number;
};

/**
 * The profiles that a tenant's object remembers, in its SQLite: a bounded number. Every method is synchronous.
 * Times in ms.
 */
export class KnownProfiles {
  constructor(private readonly sql: SqlStorage) {
    sql.exec(SCHEMA);
  }

  /** Returns what is remembered of a profile, and records its use. */
  find(uri: string, at: number): KnownProfile | null {
    const query = 'SELECT profile, error, verified, freshUntil, usedAt FROM profiles WHERE uri = ?';
    const [row] = this.sql.exec<Row>(query, uri);
    if (!row) return null;
    if (at - row.usedAt >= USE_INTERVAL_MS) {
      this.sql.exec('UPDATE profiles SET usedAt = ? WHERE uri = ?', at, uri);
    }
    const { profile, error, verified, freshUntil } = row;
    return { profile: profile && JSON.parse(profile), error, verified: verified === 1, freshUntil };
  }

  /**
   * Remembers the outcome of a fetch. After a failure the profile counts as absent, and the wait before the next
   * fetch doubles from a minute to an hour. A failed refresh keeps a profile that is still fresh, because any request
   * that names an unknown key causes a refresh.
   */
  store(uri: string, fetched: Fetched, at: number): void {
    const known = fetched.ok ? null : this.find(uri, at);
    if (known?.profile && at < known.freshUntil) return;
    const [profile, error] = fetched.ok ? [JSON.stringify(fetched.profile), null] : [null, fetched.code];
    const { failures } = this.sql
      .exec<{ failures: number }>(
        `INSERT INTO profiles (uri, origin, profile, error, failures, freshUntil, usedAt)
         VALUES (?1, ?2, ?3, ?4, ?4 IS NOT NULL, 0, ?5)
         ON CONFLICT (uri) DO UPDATE SET profile = ?3, error = ?4, usedAt = ?5,
           failures = iif(?4 IS NULL, 0, failures + 1) RETURNING failures`,
        uri,
        new URL(uri).origin,
        profile,
        error,
        at,
      )
      .one();
    const wait = fetched.ok ? fetched.ttl : Math.min(MIN_TTL_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
    this.sql.exec('UPDATE profiles SET freshUntil = ? WHERE uri = ?', at + wait, uri);
    this.evict(uri);
  }

  /** Evicts what has no place. What was just fetched stays: its caller can only prove who it is with it. */
  private evict(fetched: string): void {
    const known = this.sql
      .exec<{ uri: string; stays: number }>(
        `SELECT uri, (uri = ?1 OR verified) AS stays FROM profiles
         ORDER BY uri = ?1 DESC, verified DESC, usedAt DESC, uri`,
        fetched,
      )
      .toArray();
    if (known.length <= MAX_PROFILES) return;
    const ofDomains = Map.groupBy(known, ({ uri }) => siteOf(uri));
    const beyond = new Set([...ofDomains.values()].flatMap((own) => own.slice(MAX_PROFILES_OF_DOMAIN)));
    const kept = known.toSorted((a, b) => b.stays - a.stays || Number(beyond.has(a)) - Number(beyond.has(b)));
    for (const { uri } of kept.slice(MAX_PROFILES)) this.sql.exec('DELETE FROM profiles WHERE uri = ?', uri);
  }

  /**
   * Records that a profile is fetched again before its time. Returns false if one of its origin was in the last
   * minute.
   */
  beginRefresh(uri: string, at: number): boolean {
    const { last } = this.sql
      .exec<{ last: number | null }>(
        'SELECT max(refreshedAt) AS last FROM profiles WHERE origin = ?',
        new URL(uri).origin,
      )
      .one();
    if (at - (last ?? 0) < MIN_TTL_MS) return false;
    this.sql.exec('UPDATE profiles SET refreshedAt = ? WHERE uri = ?', at, uri);
    return true;
  }

  /** Records that the platform has proved who it is. */
  markVerified(uri: string): void {
    this.sql.exec('UPDATE profiles SET verified = 1 WHERE uri = ? AND verified = 0', uri);
  }

  /** Deletes the profiles that were not used for long. Returns whether any is left. */
  deleteUnused(at: number): boolean {
    this.sql.exec('DELETE FROM profiles WHERE usedAt < ?', at - UNUSED_RETENTION_MS);
    return this.sql.exec('SELECT 1 FROM profiles LIMIT 1').toArray().length > 0;
  }
}
