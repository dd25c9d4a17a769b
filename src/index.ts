import { app } from './app.ts';

export { RateLimiter } from './access/index.ts';
export { Tenant } from './tenants/index.ts';

export default {
  fetch: app.fetch,
} satisfies ExportedHandler<Env>;
