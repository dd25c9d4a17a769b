import type { Usage } from './day.ts';
import { PRICES } from './platform.ts';

/** CPU time of a request (ms) and memory-seconds of an object's call (GB-s): 10 ms of 128 MB. Assumptions. */
const CPU_MS_PER_REQUEST = 2;
const GB_SECONDS_PER_CALL = 0.01 * 0.128;
/** Queue operations of a message: a write, a read and a delete. */
const OPERATIONS_PER_MESSAGE = 3;

/** Dollars by kind. */
export type Costs = Readonly<Record<string, number>>;

/** Returns what this usage costs, beyond the plan's fee and without its monthly allowances. */
export function costOf(usage: Usage): Costs {
  const { requests, objects, objectRows, kvReads, kvWrites, queues, rowsRead, rowsWritten } = usage;
  return {
    Workers: requests * (PRICES.request.value + CPU_MS_PER_REQUEST * PRICES.cpuMs.value),
    'Durable Objects':
      objects * (PRICES.objectRequest.value + GB_SECONDS_PER_CALL * PRICES.objectGbSecond.value) +
      objectRows * PRICES.objectRowWritten.value,
    D1: rowsRead * PRICES.rowRead.value + rowsWritten * PRICES.rowWritten.value,
    KV: kvReads * PRICES.kvRead.value + kvWrites * PRICES.kvWrite.value,
    Queues: queues * OPERATIONS_PER_MESSAGE * PRICES.queueOperation.value,
    // Reads from an isolate's memory have a line in a hundred: this is an upper bound.
    Logs: requests * PRICES.logLine.value,
  };
}

/** Returns the sum of costs. */
export const totalOf = (costs: Costs): number => Object.values(costs).reduce((sum, part) => sum + part, 0);
