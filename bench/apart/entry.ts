/** The service with its databases in another process. This entry is never deployed. */

import service, * as own from '../../src/index.ts';
import { apart } from './remote-database.ts';

/** Returns an object's class that gets the databases of the other process. */
const apartClass = <T extends new (ctx: DurableObjectState, env: Env) => object>(Class: T) =>
  class extends (Class as new (ctx: DurableObjectState, env: Env) => object) {
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, apart(env));
    }
  };

export const Cart = apartClass(own.Cart);
export const ListIndex = apartClass(own.ListIndex);
export const LoginGate = apartClass(own.LoginGate);
export const LoginGuard = apartClass(own.LoginGuard);
export const PlatformDirectory = apartClass(own.PlatformDirectory);
export const RateLimiter = apartClass(own.RateLimiter);
export const RequestLog = apartClass(own.RequestLog);
export const SaleSchedule = apartClass(own.SaleSchedule);
export const StockWriter = apartClass(own.StockWriter);
export const Tenant = apartClass(own.Tenant);
export const WebhookEndpoint = apartClass(own.WebhookEndpoint);

export default {
  fetch: (request, env, ctx) => service.fetch(request, apart(env), ctx),
  queue: (batch, env, ctx) => service.queue(batch, apart(env), ctx),
  scheduled: (event, env) => service.scheduled(event, apart(env)),
} satisfies ExportedHandler<Env>;
