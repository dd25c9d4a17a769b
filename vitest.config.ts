// The ASSETS binding needs dist/assets.
import './scripts/build/assets.ts';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config';
import './scripts/test/memory-disk.ts';
import {
  CLIENT_EXAMPLES,
  examplesModule,
  QUICK_START,
  quickStartMarkdown,
} from './scripts/test/doc-examples.ts';
import { ucpSchemas } from './scripts/test/ucp-schemas.ts';
import './scripts/test/uncompressed-modules.ts';

/** What the tests load besides our own files. */
const LIBRARIES = [
  '@cfworker/json-schema',
  '@hono/zod-openapi',
  '@hono/zod-validator',
  'csv-parse/sync',
  'drizzle-orm',
  'drizzle-orm/batch',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'fast-check',
  'hono',
  'hono/body-limit',
  'hono/cookie',
  'hono/http-exception',
  'hono/jsx',
  'hono/jsx/jsx-runtime',
  'hono/jsx/jsx-dev-runtime',
  'hono/route',
  'replicate',
  'standardwebhooks',
  'stripe',
  'zod',
];

/** drizzle's `entity.js` as wrangler.toml replaces it. */
const ENTITY = Object.fromEntries(
  ['./', '../', '../../', '../../../'].map((folder) => [
    `${folder}entity.js`,
    new URL('scripts/build/drizzle-entity.ts', import.meta.url).pathname,
  ]),
);

/**
 * Tests that look at all that is stored or let the cron work it off, count all that is written, or leave payments at
 * a provider, which the cron of every later test would try to reach: all stores are emptied before each file.
 */
const EMPTIED = [
  'test/catalog/categories/relisting.test.ts',
  'test/checkout/payments/stripe/*.test.ts',
  'test/contract/budgets.test.ts',
  'test/contract/generated.test.ts',
  'test/customers/customer-cart.test.ts',
  'test/customers/erasure-*.test.ts',
  'test/customers/guests/*.test.ts',
  'test/customers/records/personal-data.test.ts',
  'test/customers/restored.test.ts',
  'test/events/dead-letters/dead-letters.test.ts',
  'test/journeys/erasure.test.ts',
  'test/journeys/month/month.test.ts',
  'test/journeys/refunds.test.ts',
  'test/journeys/worker-crashes.test.ts',
  'test/kernel/cache/cached-body.test.ts',
  'test/maintenance/*.test.ts',
  'test/panel/admin/health.test.ts',
  'test/transfer/*.test.ts',
  'test/web/walk/*.test.ts',
  'test/webhooks/delivery/fan-out.test.ts',
];

/** Tests with the directory and two shards in databases of their own. */
const SHARDED = ['test/moves/**/*.test.ts', 'test/shards/**/*.test.ts'];

/** Tests that need ids from 1 on, or a database beside ours: each file has a runtime of its own. */
const ALONE = [
  'test/journeys/story/examples.test.ts',
  'test/journeys/mixed/mixed.test.ts',
  'test/kernel/data/replication.test.ts',
];

/**
 * Imports `docs/client.md?examples` as a module that runs the page's examples, and `snippets.ts?examples` as one
 * that runs those of the panel's quick start.
 */
const docExamples: Plugin = {
  name: 'doc-examples',
  load: (id) => {
    const [file = '', query] = id.split('?');
    if (query !== 'examples') return null;
    if (file.endsWith('/snippets.ts')) return examplesModule(quickStartMarkdown(), Object.keys(QUICK_START));
    return examplesModule(readFileSync(file, 'utf8'), Object.keys(CLIENT_EXAMPLES));
  },
};

/**
 * Databases of their own for the directory, two shards and their search: new tenants are on either shard in turn.
 * Only projects with `twoShards` have them, or all with `SHARDS=2`; in the others one database is all of these.
 */
const TWO_SHARDS = Object.fromEntries(
  ['SHARD_01', 'SHARD_02', 'SEARCH_02'].map((name) => [name, `${name.toLowerCase()}-tests`]),
);

/**
 * The plugin that runs tests in workerd with the bindings of wrangler.toml. All projects have this one, so that they
 * share one Vite server: each module is transformed once.
 */
const workers = cloudflareTest(async ({ inject }) => {
  const d1Databases = inject('twoShards') ? TWO_SHARDS : {};
  return {
    wrangler: { configPath: './wrangler.toml' },
    miniflare: {
      d1Databases,
      // As in wrangler.toml, but a batch is gathered for a tenth of a second: tests wait for the search index.
      queueConsumers: {
        'search-index': {
          maxBatchSize: 50,
          maxBatchTimeout: 0.1,
          maxRetries: 100,
          deadLetterQueue: 'dead-letters',
        },
      },
      bindings: {
        MIGRATIONS_MAIN: await readD1Migrations('migrations/main'),
        MIGRATIONS_SEARCH: await readD1Migrations('migrations/search'),
        // Whatever a developer's .dev.vars says, tests run under the rules of production.
        DEV_ALLOW_LOCAL_URLS: 'false',
        DEV_DEFAULT_PAYMENTS: '',
        // No token that works: a test of the demo shop brings its own.
        DEMO_TOKEN: 'none',
        DOH_URL: '',
        // Tests may create tenants of the EU.
        EU_BINDINGS: ['DB', 'SEARCH_01', 'MEDIA', ...Object.keys(d1Databases)].join(' '),
        SUPER_ADMIN_TOKEN: 'test-super-admin-token-000000000000',
        MASTER_KEY_V1: 'dGVzdC1tYXN0ZXIta2V5LXRlc3QtbWFzdGVyLWtleS0=',
      },
    },
  };
});

/**
 * Returns the seed of all random cases of this run: `SEED`, or a new one, which is printed once. It is kept in the
 * environment, because Vitest loads this file again for each project.
 */
function seedOfRun(): number {
  if (!process.env.SEED) {
    process.env.SEED = String(randomInt(2 ** 31));
    console.error(`SEED=${process.env.SEED} repeats the random cases of this run`);
  }
  const seed = Number(process.env.SEED);
  if (!Number.isInteger(seed)) throw new Error(`SEED must be an integer, not ${process.env.SEED}`);
  return seed;
}

/** The settings of every project. */
const COMMON = {
  setupFiles: ['test/support/runtime/setup.ts'],
  // Several times what the longest tests take on a machine with a load of five a core.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
  // One more than there are cores: while a test waits for an alarm, a queue or a retry, another has its core.
  maxWorkers: availableParallelism() + 1,
  // One file each instead of the thousand that every runtime would load anew.
  deps: {
    optimizer: {
      ssr: { enabled: true, include: LIBRARIES, rolldownOptions: { resolve: { alias: ENTITY } } },
    },
  },
  // The size of six long tests: in full they are EVENTS=10000, SHOPPERS=1000, FILTER_CASES=1000, PAIRS=1000,
  // REQUEST_CASES=60 and STEPS=250.
  provide: {
    events: Number(process.env.EVENTS ?? 100),
    shoppers: Number(process.env.SHOPPERS ?? 200),
    filterCases: Number(process.env.FILTER_CASES ?? 48),
    // The `source` folder of the protocol's specification: messages are then checked against its schemas too.
    ucpSchemas: ucpSchemas(process.env.UCP_SCHEMAS),
    requestCases: Number(process.env.REQUEST_CASES ?? 5),
    seed: seedOfRun(),
    steps: Number(process.env.STEPS ?? 12),
    soakMinutes: Number(process.env.SOAK_MINUTES ?? 0),
    moves: Number(process.env.MOVES ?? 1),
    pairs: Number(process.env.PAIRS ?? 1),
    twoShards: process.env.SHARDS === '2',
    modules: (process.env.MODULES ?? '').split(',').filter(Boolean),
  },
} satisfies TestProjectInlineConfiguration['test'];

export default defineConfig({
  resolve: {
    alias: { '@storefront-edge/client': new URL('client/src/index.ts', import.meta.url).pathname },
  },
  plugins: [docExamples, workers],
  test: {
    ...COMMON,
    projects: [
      {
        extends: true,
        // One runtime for many files: starting it and loading our modules takes two seconds. See setup.ts.
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...EMPTIED, ...ALONE, ...SHARDED],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'emptied',
          include: EMPTIED,
          isolate: false,
          setupFiles: ['test/support/runtime/empty-stores.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE },
      },
      {
        extends: true,
        test: { name: 'shards', include: SHARDED, isolate: false, provide: { twoShards: true } },
      },
    ],
  },
});

declare module 'vitest' {
  interface ProvidedContext {
    /** How many events the webhook pipeline delivers while calls fail. */
    events: number;
    /** How many shoppers want the last pieces at once. */
    shoppers: number;
    filterCases: number;
    /** The modules whose endpoints the generated suites call; of all modules when empty. */
    modules: string[];
    /** The official schemas of the Universal Commerce Protocol as JSON; empty without `UCP_SCHEMAS`. */
    ucpSchemas: string[];
    /** What all random cases and injected faults follow. */
    seed: number;
    /** How many links each person follows and forms they send in a walk through the pages. */
    steps: number;
    /** For how long the mixed journey is repeated. */
    soakMinutes: number;
    /** How many seeds of the journey of a moving tenant are tried. */
    moves: number;
    /** How many pairs of concurrent writes each resource gets. */
    pairs: number;
    /** Whether the directory and two shards have databases of their own; else one database is all of them. */
    twoShards: boolean;
    /** How many generated requests each operation gets. */
    requestCases: number;
  }
}
