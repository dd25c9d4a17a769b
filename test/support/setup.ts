import { applyD1Migrations, type D1Migration } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS_MAIN: D1Migration[];
      MIGRATIONS_SEARCH: D1Migration[];
    }
  }
}

await applyD1Migrations(env.DB, env.MIGRATIONS_MAIN);
await applyD1Migrations(env.SEARCH_DB, env.MIGRATIONS_SEARCH);
