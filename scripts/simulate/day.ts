import { type Budget, objectRowsOf } from './budgets.ts';
import { LIMITS } from './platform.ts';
import { type JobKind, utilizationOf } from './queue.ts';
import {
  CACHED,
  CALLS_PER_SESSION,
  CART,
  CARTS_PER_SESSION,
  coldShare,
  FLASH_SALE,
  IMPORTS,
  overheadOf,
  REQUESTS_PER_SESSION,
  sessionRate,
  type TenantLoad,
} from './workload.ts';

/** How long a database works on a round trip (ms): a base, and more for each row. */
export interface ServiceTimes {
  readonly tripMs: number;
  readonly rowReadMs: number;
  readonly rowWrittenMs: number;
}

/** The published millisecond a query, and what rows add on SSDs: 0.5 µs read, 5 µs written. */
export const PUBLISHED: ServiceTimes = {
  tripMs: LIMITS.queryMs.value,
  rowReadMs: 0.0005,
  rowWrittenMs: 0.005,
};

/** Operations whose calls the tenant's stock writer commits in groups. */
const GROUPED: ReadonlySet<string> = new Set(['POST /v1/inventory/adjustments']);
/** The most calls of a group, its round trips (one reads, one writes), and how long it takes (s). */
const MAX_GROUP = 200;
const TRIPS_PER_GROUP = 2;
const GROUP_SECONDS = 0.01;

/** Returns the groups a second of a tenant's calls: those that arrive during a group share the next one. */
export const groupsOf = (callsPerSecond: number): number =>
  Math.max(callsPerSecond / (1 + callsPerSecond * GROUP_SECONDS), callsPerSecond / MAX_GROUP);

/** The write of an application's counted calls, an operation of its own among the budgets. */
const COUNTS = 'counts of calls';
const COUNTS_BUDGET: Budget = {
  trips: 1,
  searchTrips: 0,
  objects: 0,
  kv: 0,
  queues: 0,
  rowsRead: 2,
  rowsWritten: 2,
};

/** Rows that objects write. */
const ROWS = {
  lease: objectRowsOf('lease, with the report of an earlier one'),
  calls: objectRowsOf('calls, logged'),
  counts: objectRowsOf('counts of five minutes'),
  cart: objectRowsOf('cart, created with a line'),
  line: objectRowsOf('cart, a line changed'),
  /** At most: orders of a tenant within five seconds share the rows of their stock changes. */
  order: objectRowsOf('cart, checked out and ordered') + objectRowsOf('stock changes of five seconds'),
} as const;

/** Sums of what the platform does in a second. */
export interface Usage {
  requests: number;
  objects: number;
  objectRows: number;
  kvReads: number;
  kvWrites: number;
  queues: number;
  rowsRead: number;
  rowsWritten: number;
  sessions: number;
  orders: number;
}

/** One hour of the day: the jobs of each shard's database, and the platform's usage, by the second. */
export interface Hour {
  readonly shards: JobKind[][];
  readonly search: JobKind[];
  readonly usage: Usage;
  /** Stock adjustments a second of the largest tenant: calls of its stock writer. */
  readonly adjusted: number;
}

const noUsage = (): Usage => ({
  requests: 0,
  objects: 0,
  objectRows: 0,
  kvReads: 0,
  kvWrites: 0,
  queues: 0,
  rowsRead: 0,
  rowsWritten: 0,
  sessions: 0,
  orders: 0,
});

/** The platform that is played. */
export interface Platform {
  readonly tenants: readonly TenantLoad[];
  readonly budgets: ReadonlyMap<string, Budget>;
  readonly shards: number;
  readonly scale: number;
  readonly times: ServiceTimes;
}

/** Returns how long a database works on one of the round trips of a call (ms). */
export const tripMs = (budget: Budget, times: ServiceTimes): number => {
  const trips = budget.trips + budget.searchTrips;
  if (trips === 0) return 0;
  const rows = budget.rowsRead * times.rowReadMs + budget.rowsWritten * times.rowWrittenMs;
  return times.tripMs + rows / trips;
};

/** Returns how often a second an operation's budget is spent: misses of the cache, groups, or each call. */
function spentOf(name: string, perSecond: number, cold: number): number {
  if (CACHED.has(name) || CART.has(name)) return perSecond * cold;
  return GROUPED.has(name) ? groupsOf(perSecond) : perSecond;
}

/** Returns what happens in a second of an hour. Tenants are dealt out to shards by size. */
export function hourOf(platform: Platform, hour: number): Hour {
  const { tenants, budgets, shards: count, times } = platform;
  const rates = Array.from({ length: count }, () => new Map<string, number>());
  const usage = noUsage();
  for (const tenant of tenants) {
    const sessions = sessionRate(tenant, hour);
    const cold = coldShare(tenant, sessions);
    const own = rates[tenant.rank % count];
    usage.sessions += sessions;
    for (const [name, calls] of Object.entries(CALLS_PER_SESSION)) {
      const perSecond = sessions * calls;
      const spent = spentOf(name, perSecond, cold);
      own?.set(name, (own.get(name) ?? 0) + spent);
      addUsage(usage, { name, perSecond, spent, budget: budgetOf(budgets, name) });
    }
    own?.set(COUNTS, (own.get(COUNTS) ?? 0) + addOverhead(usage, sessions));
  }
  const names = [...budgets.keys(), COUNTS];
  const jobsOf = (rate: ReadonlyMap<string, number>, trips: 'trips' | 'searchTrips'): JobKind[] =>
    names.flatMap((name) => {
      const budget = budgetOf(budgets, name);
      const perSecond = (rate.get(name) ?? 0) * budget[trips];
      return perSecond > 0 ? [{ perSecond, ms: tripMs(budget, times) }] : [];
    });
  const shards = rates.map((rate) => jobsOf(rate, 'trips'));
  const all = mergeRates(rates);
  addImports(shards, hour, times);
  const largest = tenants[0] ? sessionRate(tenants[0], hour) : 0;
  const adjusted = largest * (CALLS_PER_SESSION['POST /v1/inventory/adjustments'] ?? 0);
  return { shards, search: jobsOf(all, 'searchTrips'), usage, adjusted };
}

/** Adds what a tenant's sessions cause in objects; returns how often a second counts are written to its database. */
function addOverhead(usage: Usage, sessions: number): number {
  const requests = sessions * REQUESTS_PER_SESSION;
  const { leases, tenantReads, counts } = overheadOf(requests);
  usage.objects += 2 * leases + tenantReads;
  usage.objectRows += leases * (ROWS.lease + ROWS.calls) + counts * ROWS.counts;
  const changes = (CALLS_PER_SESSION['POST /v1/cart/items'] ?? 0) - CARTS_PER_SESSION;
  const orders = CALLS_PER_SESSION['POST /v1/orders'] ?? 0;
  usage.objectRows += sessions * (CARTS_PER_SESSION * ROWS.cart + changes * ROWS.line + orders * ROWS.order);
  usage.rowsRead += counts * COUNTS_BUDGET.rowsRead;
  usage.rowsWritten += counts * COUNTS_BUDGET.rowsWritten;
  return counts;
}

const budgetOf = (budgets: ReadonlyMap<string, Budget>, name: string): Budget => {
  const budget = name === COUNTS ? COUNTS_BUDGET : budgets.get(name);
  if (!budget) throw new Error(`docs/budgets.md has no operation ${name}`);
  return budget;
};

interface Calls {
  readonly name: string;
  readonly perSecond: number;
  /** How often the budget is spent. */
  readonly spent: number;
  readonly budget: Budget;
}

function addUsage(usage: Usage, { name, perSecond, spent, budget }: Calls): void {
  const everyCall = CART.has(name) || GROUPED.has(name);
  usage.requests += perSecond;
  usage.objects += (everyCall ? perSecond : spent) * budget.objects;
  usage.kvReads += CACHED.has(name) ? perSecond : spent * (budget.kv / 2);
  usage.kvWrites += spent * (budget.kv / 2);
  usage.queues += spent * budget.queues;
  usage.rowsRead += spent * budget.rowsRead;
  usage.rowsWritten += spent * budget.rowsWritten;
  if (name === 'POST /v1/orders') usage.orders += perSecond;
}

function mergeRates(rates: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const rate of rates)
    for (const [name, perSecond] of rate) all.set(name, (all.get(name) ?? 0) + perSecond);
  return all;
}

/** Adds the import storm: its files are worked off within the hour. */
function addImports(shards: JobKind[][], hour: number, times: ServiceTimes): void {
  if (hour !== IMPORTS.hour) return;
  const batches = (IMPORTS.tenants * IMPORTS.rows) / IMPORTS.rowsPerBatch / 3_600 / shards.length;
  const rows = IMPORTS.rowsPerBatch * IMPORTS.rowsWrittenPerRow;
  for (const jobs of shards) jobs.push({ perSecond: batches, ms: times.tripMs + rows * times.rowWrittenMs });
}

/** A flash sale: checkouts a second while it lasts, the share of its tenant's database, and when all are served (s). */
export interface FlashSale {
  readonly checkoutsPerSecond: number;
  readonly utilization: number;
  readonly seconds: number;
}

/** Plays the flash sale, whose tenant has a database to itself. */
export function flashSaleOf({ scale, times, budgets }: Omit<Platform, 'shards' | 'tenants'>): FlashSale {
  const checkoutsPerSecond = (FLASH_SALE.carts * scale) / FLASH_SALE.seconds;
  const budget = budgetOf(budgets, 'POST /v1/checkout/seamless');
  const ms = tripMs(budget, times);
  // Reservations share groups; the other round trips of a checkout are each call's own.
  const utilization = utilizationOf([
    { perSecond: groupsOf(checkoutsPerSecond) * TRIPS_PER_GROUP, ms },
    { perSecond: checkoutsPerSecond * (budget.trips - TRIPS_PER_GROUP), ms },
  ]);
  return { checkoutsPerSecond, utilization, seconds: FLASH_SALE.seconds * Math.max(1, utilization) };
}
