// The ASSETS binding needs dist/assets.
import './scripts/assets.ts';
import { readFileSync } from 'node:fs';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig, type Plugin } from 'vitest/config';
import { CLIENT_EXAMPLES, examplesModule } from './scripts/doc-examples.ts';

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
  'standardwebhooks',
  'stripe',
  'zod',
];

/** Imports `docs/client.md?examples` as a module that runs the page's examples. */
const docExamples: Plugin = {
  name: 'doc-examples',
  load: (id) => {
    const [file = '', query] = id.split('?');
    if (query !== 'examples') return null;
    return examplesModule(readFileSync(file, 'utf8'), Object.keys(CLIENT_EXAMPLES));
  },
};

export default defineConfig({
  resolve: { alias: { '@storefront-edge/client': new URL('client/src/index.ts', import.meta.url).pathname } },
  plugins: [
    docExamples,
    cloudflareTest(async () => ({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        bindings: {
          MIGRATIONS_MAIN: await readD1Migrations('migrations/main'),
          MIGRATIONS_SEARCH: await readD1Migrations('migrations/search'),
          // Whatever a developer's .dev.vars says, tests run under the rules of production.
          DEV_ALLOW_LOCAL_URLS: 'false',
          DEV_DEFAULT_PAYMENTS: '',
          // No token that works: a test of the demo shop brings its own.
          DEMO_TOKEN: 'none',
          DOH_URL: '',
          SUPER_ADMIN_TOKEN: 'test-super-admin-token-000000000000',
          MASTER_KEY_V1: 'dGVzdC1tYXN0ZXIta2V5LXRlc3QtbWFzdGVyLWtleS0=',
        },
      },
    })),
  ],
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 30_000,
    // By default one core is left idle, which on two is half of them.
    maxWorkers: '100%',
    // One file each instead of the thousand that every test file would load anew.
    deps: { optimizer: { ssr: { enabled: true, include: LIBRARIES } } },
    // How many events the property of the whole webhook pipeline sends; its full size is 10,000.
    provide: { events: Number(process.env.EVENTS ?? 100) },
  },
});

declare module 'vitest' {
  interface ProvidedContext {
    events: number;
  }
}
