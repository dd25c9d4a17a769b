import type { CallCount } from '../../insights/index.ts';
import type { ApplicationName } from '../token.ts';

/** The most calls that an application's log keeps: the newest. */
export const MAX_LOGGED_CALLS = 1_000;

/** One call of the API, without body, query and anything that a path's parameters name. */
export interface CallRecord {
  /** When it arrived (ms since the epoch). */
  readonly at: number;
  readonly method: string;
  /** The route's pattern: `/v1/products/{id}`. */
  readonly route: string;
  readonly status: number;
  /** How long (ms) the response's headers took, as the runtime's clock shows it: time of I/O, not of computing. */
  readonly ms: number;
  /** The response's `X-Request-Id`. */
  readonly id: string;
}

/** What an isolate gathers of an application's calls: the newest of them, and how many there were. */
export interface CallBatch {
  /** JSON of {@link CallRecord}s, as it is stored: text costs a call of an object far less than its values would. */
  readonly calls: string;
  /** How many calls the JSON holds, and when the newest of them arrived. */
  readonly size: number;
  readonly newest: number;
  readonly count: CallCount;
}

/** Returns a batch of the newest of these calls, at most {@link MAX_LOGGED_CALLS}. */
export function batchOf(calls: readonly CallRecord[], count: CallCount): CallBatch {
  const kept = calls.slice(-MAX_LOGGED_CALLS);
  const newest = kept.reduce((latest, { at }) => Math.max(latest, at), count.start);
  return { calls: JSON.stringify(kept), size: kept.length, newest, count };
}

/** The classes of statuses that a log can be filtered by. */
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
type StatusClass = (typeof STATUS_CLASSES)[number];

/** Which calls to find; an absent field matches all of them. */
export interface CallFilter {
  readonly status?: StatusClass | undefined;
  readonly method?: string | undefined;
  readonly route?: string | undefined;
  readonly id?: string | undefined;
}

/** A page of a log, from 1 on. With `after` it begins behind that call, whatever its number. */
export interface LogPage {
  readonly page: number;
  readonly limit: number;
  readonly after?: Pick<CallRecord, 'at' | 'id'> | null;
}

/** Calls that a filter matches, newest first, and what the log holds in all. */
export interface FoundCalls {
  readonly calls: readonly CallRecord[];
  /** The number of the page: the last one, if fewer calls match than were skipped. */
  readonly page: number;
  /** Whether calls follow the page. */
  readonly more: boolean;
  /** How many calls the filter matches. */
  readonly total: number;
  /** Methods and routes of the whole log, for a choice of filters. */
  readonly methods: readonly string[];
  readonly routes: readonly string[];
}

/** A call, and the application that made it. */
export interface OwnedCall extends ApplicationName {
  readonly call: CallRecord;
}

const classOf = (status: number): string => `${Math.floor(status / 100)}xx`;

/** Returns whether a filter matches a call. */
export const matches = (call: CallRecord, { status, method, route, id }: CallFilter): boolean =>
  (status === undefined || classOf(call.status) === status) &&
  (method === undefined || call.method === method) &&
  (route === undefined || call.route === route) &&
  (id === undefined || call.id === id);

/** Returns the distinct values in alphabetical order. */
export const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();
