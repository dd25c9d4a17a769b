import { serve } from './app.ts';
import { consumeRelistings, sweepRelistings } from './catalog/index.ts';
import { forgetCheckouts, sweepNotices, sweepOrders, sweepRefunds } from './checkout/index.ts';
import { forgetResets, forgetSessions } from './customers/index.ts';
import { abandonImports, consumeImports, sweepImports } from './imports/index.ts';
import { beginSlots, sweepReservations } from './inventory/index.ts';
import { database } from './kernel/database.ts';
import { forgetOldKeys } from './kernel/idempotency.ts';
import { consumeSearch, type SearchMessage } from './search/index.ts';
import { sweepStock } from './tenants/index.ts';
import {
  type EventMessage,
  fanOut,
  forgetDeadLetters,
  forgetEvents,
  recordDead,
  sweepOutbox,
} from './webhooks/index.ts';

export { RateLimiter } from './access/index.ts';
export { Cart } from './cart/index.ts';
export { LoginGate, LoginGuard } from './customers/index.ts';
export { Tenant } from './tenants/index.ts';
export { Endpoint } from './webhooks/index.ts';

/** What the minute's cron does: it finishes what a crash left half done, and forgets what is old. */
const CHORES: Readonly<Record<string, (env: Env, ctx: ExecutionContext) => Promise<unknown>>> = {
  outbox: (env) => sweepOutbox(env),
  stock: (env) => sweepStock(env),
  slots: (env, ctx) => beginSlots({ env, ctx }, database(env)),
  reservations: (env, ctx) => sweepReservations({ env, ctx }, database(env)),
  orders: (env, ctx) => sweepOrders({ env, ctx }),
  refunds: (env, ctx) => sweepRefunds({ env, ctx }),
  cartNotices: (env) => sweepNotices(env),
  checkouts: (env) => forgetCheckouts(database(env)),
  imports: (env) => sweepImports(env),
  relistings: (env) => sweepRelistings(env),
  idempotency: (env) => forgetOldKeys(database(env)).run(),
  sessions: (env) => forgetSessions(database(env)).run(),
  passwordResets: (env) => forgetResets(database(env)).run(),
  events: (env) => forgetEvents(database(env)).run(),
  deadLetters: (env) => forgetDeadLetters(database(env)),
};

/** Runs every chore; one that fails is logged and doesn't keep the others from running. */
async function runChores(env: Env, ctx: ExecutionContext): Promise<void> {
  for (const [chore, work] of Object.entries(CHORES)) {
    try {
      await work(env, ctx);
    } catch (error) {
      console.error(
        JSON.stringify({ event: 'chore_failed', chore, name: error instanceof Error ? error.name : '' }),
      );
    }
  }
}

/** Who takes the messages of each queue. */
const CONSUMERS: Readonly<
  Record<string, (batch: MessageBatch, env: Env, ctx: ExecutionContext) => Promise<void>>
> = {
  // Only the outbox's relay sends to this queue.
  'webhook-events': (batch, env) => fanOut(batch as MessageBatch<EventMessage>, env),
  // Only the relay, the catalogue and the rebuild send to this queue.
  'search-index': (batch, env) => consumeSearch(batch as MessageBatch<SearchMessage>, env),
  imports: consumeImports,
  relistings: (batch, env) => consumeRelistings(batch, env),
  'dead-letters': async (batch, env) => {
    await recordDead(batch, env);
    await abandonImports(batch, env);
  },
};

export default {
  fetch: serve,
  queue: async (batch, env, ctx) => CONSUMERS[batch.queue]?.(batch, env, ctx),
  scheduled: (_, env, ctx) => runChores(env, ctx),
} satisfies ExportedHandler<Env>;
