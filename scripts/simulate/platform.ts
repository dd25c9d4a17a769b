/** A published limit or price of the platform, with the page that states it. */
export interface Published {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly source: string;
}

const docs = (path: string): string => `https://developers.cloudflare.com/${path}`;

/** Limits of the paid plan, as published in November 2026. */
export const LIMITS = {
  databaseBytes: {
    name: 'Size of a D1 database',
    value: 10e9,
    unit: 'bytes',
    source: docs('d1/platform/limits/'),
  },
  queryMs: {
    name: 'D1 runs one query at a time: about 1,000 a second of 1 ms',
    value: 1,
    unit: 'ms a query',
    source: docs('d1/platform/limits/'),
  },
  databases: {
    name: 'D1 databases that one Worker can bind',
    value: 5_000,
    unit: 'bindings',
    source: docs('d1/platform/limits/'),
  },
  objectRequests: {
    name: 'Requests of one Durable Object (a soft limit)',
    value: 1_000,
    unit: 'a second',
    source: docs('durable-objects/platform/limits/'),
  },
  queueMessages: {
    name: 'Messages of one queue',
    value: 5_000,
    unit: 'a second',
    source: docs('queues/platform/limits/'),
  },
} as const satisfies Record<string, Published>;

/** Prices in dollars, without the monthly allowances that the paid plan includes. */
export const PRICES = {
  request: {
    name: 'Workers requests',
    value: 0.3e-6,
    unit: '$ each',
    source: docs('workers/platform/pricing/'),
  },
  cpuMs: {
    name: 'Workers CPU time',
    value: 0.02e-6,
    unit: '$ a ms',
    source: docs('workers/platform/pricing/'),
  },
  objectRequest: {
    name: 'Durable Object requests',
    value: 0.15e-6,
    unit: '$ each',
    source: docs('durable-objects/platform/pricing/'),
  },
  objectGbSecond: {
    name: 'Durable Object duration',
    value: 12.5e-6,
    unit: '$ a GB-s',
    source: docs('durable-objects/platform/pricing/'),
  },
  objectRowWritten: {
    name: 'Durable Object rows written',
    value: 1e-6,
    unit: '$ each',
    source: docs('durable-objects/platform/pricing/'),
  },
  logLine: {
    name: 'Workers Logs lines',
    value: 0.6e-6,
    unit: '$ each',
    source: docs('workers/platform/pricing/'),
  },
  rowRead: {
    name: 'D1 rows read',
    value: 0.001e-6,
    unit: '$ each',
    source: docs('d1/platform/pricing/'),
  },
  rowWritten: {
    name: 'D1 rows written',
    value: 1e-6,
    unit: '$ each',
    source: docs('d1/platform/pricing/'),
  },
  databaseGbMonth: {
    name: 'D1 storage',
    value: 0.75,
    unit: '$ a GB and month',
    source: docs('d1/platform/pricing/'),
  },
  kvRead: {
    name: 'KV reads',
    value: 0.5e-6,
    unit: '$ each',
    source: docs('kv/platform/pricing/'),
  },
  kvWrite: {
    name: 'KV writes',
    value: 5e-6,
    unit: '$ each',
    source: docs('kv/platform/pricing/'),
  },
  queueOperation: {
    name: 'Queue operations (a message takes three)',
    value: 0.4e-6,
    unit: '$ each',
    source: docs('queues/platform/pricing/'),
  },
} as const satisfies Record<string, Published>;
