/** The day that is played: who is there, when, and what they do. Every figure here is an assumption. */

/** Shoppers' sessions of the mean tenant in a day at scale 1. */
const SESSIONS_PER_TENANT = 300;
/** Pages of the mean catalogue that are asked for, each a body in the cache. */
const PAGES = 200;
/** Changes of a tenant's catalogue version in a day: a fixed number, and some for each session. */
const VERSIONS_PER_DAY = 48;
const VERSIONS_PER_SESSION = 0.02;

/** Calls of each operation in a session of a shopper, the shop's own calls included. */
export const CALLS_PER_SESSION: Readonly<Record<string, number>> = {
  'GET /v1/products': 2.5,
  'GET /v1/products/{id}': 4,
  'GET /v1/categories': 1,
  'GET /v1/search': 0.4,
  'GET /v1/cart/{cart_token}': 0.6,
  'POST /v1/cart/items': 0.35,
  'POST /v1/checkout/seamless': 0.05,
  'POST /v1/orders': 0.03,
  'POST /v1/inventory/adjustments': 0.3,
  'PATCH /v1/products/{id}': 0.05,
};

/** Calls in a session, of all operations. */
export const REQUESTS_PER_SESSION = Object.values(CALLS_PER_SESSION).reduce((sum, calls) => sum + calls, 0);

/** Operations that cost storage only when the catalogue's cache has no body. */
export const CACHED: ReadonlySet<string> = new Set([
  'GET /v1/products',
  'GET /v1/products/{id}',
  'GET /v1/categories',
]);
/** Cart calls: the catalogue is read if it has moved; the object is always called. */
export const CART: ReadonlySet<string> = new Set(['GET /v1/cart/{cart_token}', 'POST /v1/cart/items']);

/** Carts that are made in a session. */
export const CARTS_PER_SESSION = 0.15;
/** Isolates that a large tenant's requests are spread over: each leases permits and logs calls once a second. */
const ISOLATES = 20;
/** How long (s) counted calls wait in an application's request log for their write to the database. */
const COUNT_SECONDS = 300;

/** Returns how often a second at most something happens that a caller does once in an interval (s), however often it is called. */
const atMostOncePer = (seconds: number, callsPerSecond: number): number =>
  callsPerSecond / (1 + seconds * callsPerSecond);

/** What a tenant's requests cause beside their own storage calls, by the second. */
export interface Overhead {
  /** Leases of the limiter, each with a call of the request log. */
  readonly leases: number;
  /** Calls of the Tenant object by the limiter, which keeps the answer for half a second. */
  readonly tenantReads: number;
  /** Writes of counted calls to the tenant's database. */
  readonly counts: number;
}

/** Returns the overhead of a tenant whose requests are made with one token. */
export function overheadOf(requestsPerSecond: number): Overhead {
  const leases = ISOLATES * atMostOncePer(1, requestsPerSecond / ISOLATES);
  return {
    leases,
    tenantReads: atMostOncePer(0.5, leases),
    counts: atMostOncePer(COUNT_SECONDS, requestsPerSecond),
  };
}

/** Where shoppers are: their share, and the hours that their clocks are ahead of UTC. */
const REGIONS = [
  { share: 0.45, offset: 1 },
  { share: 0.35, offset: -6 },
  { share: 0.2, offset: 8 },
];

/** A special hour: tenants by rank (0 is the largest), and how many times their usual sessions come. */
interface Launch {
  readonly hour: number;
  readonly ranks: readonly [from: number, to: number];
  readonly times: number;
}

/** Twenty tenants launch something at noon (UTC). */
const LAUNCHES: readonly Launch[] = [{ hour: 12, ranks: [10, 30], times: 10 }];

/** One flash sale: carts of one tenant that check out within a minute at scale 1. */
export const FLASH_SALE = { carts: 20_000, seconds: 60 } as const;

/** An import storm: tenants that import at once, and the rows of each file. */
export const IMPORTS = {
  hour: 2,
  tenants: 200,
  rows: 10_000,
  rowsPerBatch: 50,
  rowsWrittenPerRow: 20,
} as const;

/** A webhook of the largest tenant whose receiver hangs all day: an attempt waits so long, so many at once. */
export const DEAD_RECEIVER = { timeoutSeconds: 15, atOnce: 4, eventsPerSession: 0.4 } as const;

/** A tenant's part in the platform's sessions. */
export interface TenantLoad {
  readonly rank: number;
  readonly sessionsPerDay: number;
}

/** Returns tenants whose sizes follow Zipf's law with exponent 1, largest first. */
export function tenantsOf(count: number, scale: number): TenantLoad[] {
  const harmonic = Array.from({ length: count }, (_, k) => 1 / (k + 1)).reduce((sum, part) => sum + part, 0);
  const total = count * SESSIONS_PER_TENANT * scale;
  return Array.from({ length: count }, (_, rank) => ({
    rank,
    sessionsPerDay: total / (harmonic * (rank + 1)),
  }));
}

/** Returns the share of a day's sessions that begin in an hour (UTC): each region peaks at 20:00 of its own. */
export const shareOfHour = (hour: number): number =>
  REGIONS.reduce((sum, { share, offset }) => {
    const local = hour + offset;
    return sum + (share * (1 + 0.8 * Math.cos((2 * Math.PI * (local - 20)) / 24))) / 24;
  }, 0);

/** Returns a tenant's sessions a second in an hour. */
export function sessionRate({ rank, sessionsPerDay }: TenantLoad, hour: number): number {
  const launch = LAUNCHES.find(({ hour: at, ranks: [from, to] }) => at === hour && rank >= from && rank < to);
  return (sessionsPerDay * shareOfHour(hour) * (launch?.times ?? 1)) / 3_600;
}

/** Returns the share of cached reads that find no body, when a tenant has this many sessions a second. */
export function coldShare(tenant: TenantLoad, sessionsPerSecond: number): number {
  const reads = [...CACHED].reduce((sum, name) => sum + (CALLS_PER_SESSION[name] ?? 0), 0);
  const readsOfPage = (sessionsPerSecond * reads) / PAGES;
  const versions = (VERSIONS_PER_DAY + VERSIONS_PER_SESSION * tenant.sessionsPerDay) / 86_400;
  // A body is read anew once for each version, if it is asked for at all.
  return readsOfPage === 0 ? 0 : versions / (versions + readsOfPage);
}
