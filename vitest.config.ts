// The ASSETS binding needs dist/assets.
import './scripts/assets.ts';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [
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
    // One file instead of Stripe's three hundred.
    deps: { optimizer: { ssr: { enabled: true, include: ['stripe'] } } },
    // How many events the property of the whole webhook pipeline sends; its full size is 10,000.
    provide: { events: Number(process.env.EVENTS ?? 100) },
  },
});

declare module 'vitest' {
  interface ProvidedContext {
    events: number;
  }
}
