import { random } from '../../test/support/seeded-random.ts';
import type { Budget } from './budgets.ts';
import {
  type FlashSale,
  flashSaleOf,
  type Hour,
  hourOf,
  type Platform,
  PUBLISHED,
  type ServiceTimes,
  type Usage,
} from './day.ts';
import { LIMITS } from './platform.ts';
import { type JobKind, type Played, playQueue, utilizationOf } from './queue.ts';
import { DEAD_RECEIVER, tenantsOf } from './workload.ts';

/** Jobs of the busiest shard that are played for each hour. */
const JOBS = 40_000;
/** What a shard may be asked for: most of its time, and a p99 (ms) of its queue. */
const MAX_UTILIZATION = 0.7;
const MAX_P99_MS = 100;

/** Bytes of a tenant's catalogue, of an order with all that belongs to it, and of a day's events for a session. */
const CATALOGUE_BYTES = 3e6;
const ORDER_BYTES = 5_000;
const EVENT_BYTES_PER_SESSION = 400;
const [ORDER_DAYS, EVENT_DAYS] = [365, 30];

/** What is used up: a limit, and the share of it that is needed at the day's peak (1 is all of it). */
export interface Wall {
  readonly name: string;
  readonly share: number;
}

/** Shards that keep the bounds, and the queue of the busiest one (ms). */
export interface Shards {
  readonly shards: number;
  readonly p99: number;
  /** Tenants that need more than a database of their own. */
  readonly tooLarge: number;
}

/** A played day. */
export interface Day {
  readonly scale: number;
  readonly hours: readonly Hour[];
  /** The busiest shard's queue for each hour. */
  readonly queues: readonly Played[];
  readonly walls: readonly Wall[];
  readonly needed: Shards;
  readonly flash: FlashSale;
  /** Deliveries a day that a receiver which hangs all day gets, and those that wait for the next day. */
  readonly hanging: { readonly tried: number; readonly left: number };
  /** What the platform does in the day. */
  readonly total: Usage;
}

/** The inputs of a simulation. */
export interface Simulation {
  readonly tenants: number;
  readonly seed: number;
  readonly budgets: ReadonlyMap<string, Budget>;
  readonly times?: ServiceTimes;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Plays a day at a scale on one shard; returns the limits that it reaches, in order, and the shards that it needs. */
export function playDay(simulation: Simulation, scale: number): Day {
  const { times = PUBLISHED, budgets } = simulation;
  const tenants = tenantsOf(simulation.tenants, scale);
  const platform = { tenants, budgets, shards: 1, scale, times };
  const hours = HOURS.map((hour) => hourOf(platform, hour));
  const next = random(simulation.seed);
  const queues = hours.map(({ shards }) => playQueue(busiest(shards), JOBS, next));
  const total = sumOf(hours);
  const bytes = bytesOf(simulation.tenants, total);
  const flash = flashSaleOf(platform);
  return {
    scale,
    hours,
    queues,
    total,
    flash,
    hanging: hangingOf(tenants[0]?.sessionsPerDay ?? 0),
    walls: wallsOf(hours, flash, bytes),
    needed: shardsFor(platform, bytes, next),
  };
}

function hangingOf(sessions: number): Day['hanging'] {
  const { timeoutSeconds, atOnce, eventsPerSession } = DEAD_RECEIVER;
  const events = sessions * eventsPerSession;
  const tried = Math.min(events, (86_400 / timeoutSeconds) * atOnce);
  return { tried, left: events - tried };
}

const busiest = (shards: readonly (readonly JobKind[])[]): readonly JobKind[] =>
  shards.reduce((most, jobs) => (utilizationOf(jobs) > utilizationOf(most) ? jobs : most));

const peak = (hours: readonly Hour[], read: (hour: Hour) => number): number => Math.max(...hours.map(read));

function wallsOf(hours: readonly Hour[], flash: FlashSale, bytes: number): Wall[] {
  const walls = [
    { name: 'main database: time', share: peak(hours, ({ shards }) => utilizationOf(shards[0] ?? [])) },
    { name: 'search database: time', share: peak(hours, ({ search }) => utilizationOf(search)) },
    { name: 'main database: size', share: bytes / LIMITS.databaseBytes.value },
    { name: 'a flash sale: time of its database', share: flash.utilization },
    {
      name: 'a flash sale: calls of its stock writer',
      share: flash.checkoutsPerSecond / LIMITS.objectRequests.value,
    },
    {
      name: "the largest tenant's stock writer: calls",
      share: peak(hours, ({ adjusted }) => adjusted) / LIMITS.objectRequests.value,
    },
    {
      name: 'webhook queue: messages',
      share: peak(hours, ({ usage }) => usage.queues) / LIMITS.queueMessages.value,
    },
  ];
  return walls.sort((a, b) => b.share - a.share);
}

/** Returns what the main databases hold after a year of such days. */
function bytesOf(tenants: number, { orders, sessions }: Usage): number {
  return (
    tenants * CATALOGUE_BYTES +
    orders * ORDER_BYTES * ORDER_DAYS +
    sessions * EVENT_BYTES_PER_SESSION * EVENT_DAYS
  );
}

/** The share of a shard's size that may be filled. */
const MAX_FILLED = 0.8;

/** Finds the number of shards whose busiest one keeps the bounds in every hour. */
function shardsFor(platform: Platform, bytes: number, next: () => number): Shards {
  const { tenants } = platform;
  const fits = tenants.findIndex((tenant) => peakOf({ ...platform, tenants: [tenant] }) <= MAX_UTILIZATION);
  const tooLarge = fits < 0 ? tenants.length : fits;
  const rest = { ...platform, tenants: tenants.slice(tooLarge) };
  let shards = Math.ceil(bytes / (LIMITS.databaseBytes.value * MAX_FILLED));
  for (;;) {
    const one = { ...rest, shards };
    if (peakOf(one) <= MAX_UTILIZATION) {
      const p99 = Math.max(
        ...HOURS.map((hour) => playQueue(busiest(hourOf(one, hour).shards), JOBS, next).p99),
      );
      if (p99 <= MAX_P99_MS) return { shards, p99, tooLarge };
    }
    shards = more(shards);
  }
}

/** Returns the utilization of the busiest shard in the busiest hour. */
const peakOf = (platform: Platform): number =>
  Math.max(...HOURS.map((hour) => utilizationOf(busiest(hourOf(platform, hour).shards))));

/** Tries every number up to twenty, then steps of a twentieth. */
const more = (shards: number): number => shards + Math.max(1, Math.floor(shards / 20));

function sumOf(hours: readonly Hour[]): Usage {
  const keys = Object.keys(hours[0]?.usage ?? {});
  const sums = keys.map((key) => [
    key,
    hours.reduce((sum, { usage }) => sum + Number(Reflect.get(usage, key)) * 3_600, 0),
  ]);
  // The keys are those of the record that is summed.
  return Object.fromEntries(sums) as unknown as Usage;
}
