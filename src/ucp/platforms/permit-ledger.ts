import {
  type Demand,
  type Grant,
  LeaseIds,
  type Report,
  type SlidingWindow,
  second,
  share,
  WindowStore,
} from '../../access/index.ts';
import { MINUTE } from '../../kernel/core/clock.ts';

/** How long (ms) a count may matter: a sliding window of 60 s touches 61 whole seconds, and a lease ends after it. */
const RETENTION_MS = 64_000;

/** One limit: at most this many requests with the key in any 60 seconds. */
export interface Limit {
  readonly key: string;
  readonly most: number;
}

/** Permits, or the wait (ms) until one is free. */
export type Permits =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly retryIn: number };

/** The permits that an isolate asks for, and the usage of its earlier leases. */
export interface ReportedDemand extends Demand {
  readonly reports: readonly Report[];
}

/** A limit and the window that counts for it. */
interface Held extends Limit {
  readonly window: SlidingWindow;
}

/**
 * The permits of a tenant's platforms: exact limits of requests by key (see {@link SlidingWindow}) in an object's
 * SQLite, so that an eviction of the object loses nothing. A lease counts under all of its limits. Synchronous.
 * Times in ms.
 */
export class PermitLedger {
  private readonly store: WindowStore;
  private readonly windows = new Map<string, SlidingWindow>();
  private readonly ids = new LeaseIds();
  private cleanedAt = 0;

  constructor(sql: SqlStorage) {
    this.store = new WindowStore(sql);
  }

  /** Settles the reported leases, and grants one for the waiting requests and some expected ones, within all limits. */
  lease(limits: readonly Limit[], { reports, ...demand }: ReportedDemand, at: number): Permits {
    return this.change(limits, at, (held) => {
      for (const { window } of held) window.settle(reports);
      return this.grant(held, demand, at);
    });
  }

  /** Counts one request under all of these limits. Returns null, or the wait (ms) if one is reached. */
  take(limits: readonly Limit[], at: number): number | null {
    return this.change(limits, at, (held) => {
      const permits = this.grant(held, { waiting: 1, ahead: 0 }, at);
      if (!permits.ok) return permits.retryIn;
      for (const { window } of held) window.settle([{ id: permits.grant.id, usage: [[second(at), 1]] }]);
      return null;
    });
  }

  /** Deletes what no window reaches any more, at most once a minute. Returns whether anything is left. */
  clean(at: number): boolean {
    if (at - this.cleanedAt >= MINUTE) {
      this.cleanedAt = at;
      this.windows.clear();
      this.store.deleteSavedBefore(at - RETENTION_MS);
    }
    return !this.store.empty;
  }

  /** Changes the windows of these limits, and stores them. */
  private change<T>(limits: readonly Limit[], at: number, make: (held: readonly Held[]) => T): T {
    this.clean(at);
    const held = limits.map(({ key, most }) => ({ key, most, window: this.windowOf(key) }));
    const made = make(held);
    for (const { key, window } of held) this.store.save(key, window, at);
    return made;
  }

  private grant(held: readonly Held[], { waiting, ahead }: Demand, at: number): Permits {
    const free = Math.min(...held.map(({ window, most }) => most - window.counted(at)));
    const bounded = Math.min(ahead, ...held.map(({ most }) => Math.ceil(most / 10)));
    const permits = share(waiting, bounded, free);
    if (permits === 0) {
      const full = held.filter(({ window, most }) => window.counted(at) >= most);
      const waits = full.map(({ window, most }) => window.freesIn(at, 1 + window.counted(at) - most));
      return { ok: false, retryIn: Math.max(1, ...waits) };
    }
    const id = this.ids.next(at);
    for (const { window, most } of held)
      window.grant({ waiting: permits, ahead: 0 }, { limit: most, at, id });
    return { ok: true, grant: { id, permits, grantedAt: at } };
  }

  /** Returns the window of a key, loaded from storage on its first use in a minute. */
  private windowOf(key: string): SlidingWindow {
    const window = this.windows.get(key) ?? this.store.load(key);
    this.windows.set(key, window);
    return window;
  }
}
