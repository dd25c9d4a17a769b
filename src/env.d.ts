/** The Worker's environment: the bindings of wrangler.toml, variables, and secrets. */
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import('./index.ts');
  }
  interface Env {
    DB: D1Database;
    SEARCH_01: D1Database;
    CACHE: KVNamespace;
    ASSETS: Fetcher;
    MEDIA: R2Bucket;
    /** Resizes images; without it the originals are served. */
    IMAGES?: ImagesBinding;
    TENANT: DurableObjectNamespace<import('./index.ts').Tenant>;
    RATE_LIMITER: DurableObjectNamespace<import('./index.ts').RateLimiter>;
    REQUEST_LOG: DurableObjectNamespace<import('./index.ts').RequestLog>;
    WEBHOOK_ENDPOINT: DurableObjectNamespace<import('./index.ts').WebhookEndpoint>;
    CART: DurableObjectNamespace<import('./index.ts').Cart>;
    LOGIN_GUARD: DurableObjectNamespace<import('./index.ts').LoginGuard>;
    LIST_INDEX: DurableObjectNamespace<import('./index.ts').ListIndex>;
    STOCK_WRITER: DurableObjectNamespace<import('./index.ts').StockWriter>;
    SALE_SCHEDULE: DurableObjectNamespace<import('./index.ts').SaleSchedule>;
    LOGIN_GATE: DurableObjectNamespace<import('./index.ts').LoginGate>;
    PLATFORM_DIRECTORY: DurableObjectNamespace<import('./index.ts').PlatformDirectory>;
    SEARCH_QUEUE: Queue<import('./search/index.ts').SearchMessage>;
    WEBHOOK_QUEUE: Queue<import('./events/index.ts').EventMessage>;
    RELIST_QUEUE: Queue<import('./catalog/index.ts').RelistMessage>;
    IMPORT_QUEUE: Queue<import('./imports/index.ts').ImportMessage>;
    MAINTENANCE_QUEUE: Queue<import('./maintenance/index.ts').MaintenanceMessage>;
    /** Takes a data point for each request; without it there are none. */
    REQUEST_METRICS?: AnalyticsEngineDataset;
    /** A DNS-over-HTTPS resolver with a JSON API; empty: webhook hosts aren't looked up. */
    DOH_URL?: string;
    /** Hosts of this service beside the one that a request names, as a comma list. */
    API_HOSTS?: string;
    /** Databases and buckets that were created in the jurisdiction `eu`: names of bindings, separated by spaces. */
    EU_BINDINGS?: string;
    /** The share of a database's time (above 0, at most 1) that one tenant's background work may take. */
    BACKGROUND_SHARE?: string;
    /** `true` on a developer's machine only: http and loopback URLs are taken. */
    DEV_ALLOW_LOCAL_URLS?: string;
    /** `sandbox` on a developer's machine only: tenants without a payment provider get the sandbox. */
    DEV_DEFAULT_PAYMENTS?: string;
    /** The token of the demo shop's storefront; without it there is no /demo. `npm run dev` makes it. */
    DEMO_TOKEN?: string;
    SUPER_ADMIN_TOKEN: string;
    MASTER_KEY_V1: string;
  }
}
interface Env extends Cloudflare.Env {}
