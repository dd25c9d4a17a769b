/** What the Worker is given: bindings of wrangler.toml, variables, and secrets. */
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import('./index.ts');
  }
  interface Env {
    DB: D1Database;
    SEARCH_DB: D1Database;
    CACHE: KVNamespace;
    ASSETS: Fetcher;
    TENANT: DurableObjectNamespace<import('./index.ts').Tenant>;
    RATE_LIMITER: DurableObjectNamespace<import('./index.ts').RateLimiter>;
    SEARCH_QUEUE: Queue<unknown>;
    IMPORT_QUEUE: Queue<unknown>;
    SUPER_ADMIN_TOKEN: string;
    MASTER_KEY_V1: string;
  }
}
interface Env extends Cloudflare.Env {}
