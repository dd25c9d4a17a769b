import { type CategoriesChanged, searchablesAfter, searchablesById } from '../catalog/index.ts';
import { database } from '../kernel/database.ts';
import { type EventMessage, eventsById, noteFailures, type OutboxRow } from '../webhooks/index.ts';
import { type RebuildCursor, rebuildStep } from './rebuild.ts';
import { upsert } from './store.ts';

/** Asks for a rebuild of a tenant's index, from the start or where one has come to. */
export interface RebuildMessage {
  readonly tenantId: number;
  readonly rebuild: RebuildCursor | 'start';
}

/** What the search queue carries. */
export type SearchMessage = EventMessage | CategoriesChanged | RebuildMessage;

/**
 * Takes the messages of the search queue: products that events tell of are indexed as they are now, and a
 * rebuild goes one step on. A tenant whose messages fail has them delivered again; others go on.
 */
export async function consumeSearch(batch: MessageBatch<SearchMessage>, env: Env): Promise<void> {
  const byTenant = Map.groupBy(batch.messages, (message) => message.body.tenantId);
  for (const [tenantId, messages] of byTenant) {
    try {
      await consumeTenant(
        env,
        tenantId,
        messages.map((message) => message.body),
      );
      for (const message of messages) message.ack();
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      console.error(JSON.stringify({ event: 'search_index_failed', tenant: tenantId, name }));
      for (const message of messages) message.retry();
      await noteFailures(env, 'search-index', messages, error);
    }
  }
}

async function consumeTenant(env: Env, tenantId: number, messages: readonly SearchMessage[]): Promise<void> {
  const eventIds = messages.flatMap((message) => ('eventId' in message ? [message.eventId] : []));
  if (eventIds.length > 0) await index(env, tenantId, eventIds);
  for (const message of messages) {
    if ('rebuild' in message) await goOn(env, message);
  }
  if (messages.some((message) => 'categoriesChanged' in message)) await startRebuild(env, tenantId);
}

async function index(env: Env, tenantId: number, eventIds: readonly string[]): Promise<void> {
  const db = database(env);
  const events = await eventsById(db, tenantId, eventIds);
  const ids = [...new Set(events.flatMap(productOf))];
  if (ids.length === 0) return;
  await upsert(env.SEARCH_DB, await searchablesById(db, tenantId, ids));
}

/** The product that an event is about; none for orders. */
function productOf({ type, data }: OutboxRow): number[] {
  const id = type === 'product.updated' ? data.id : type === 'stock.changed' ? data.product_id : null;
  return typeof id === 'number' ? [id] : [];
}

/** Asks for a rebuild of a tenant's index: a step a message, until all is done. */
export const startRebuild = (env: Env, tenantId: number): Promise<unknown> =>
  env.SEARCH_QUEUE.send({ tenantId, rebuild: 'start' } satisfies RebuildMessage);

async function goOn(env: Env, { tenantId, rebuild }: RebuildMessage): Promise<void> {
  const db = database(env);
  const source = (after: number, limit: number) => searchablesAfter(db, tenantId, after, limit);
  const cursor = rebuild === 'start' ? undefined : rebuild;
  const next = await rebuildStep(env.SEARCH_DB, tenantId, source, cursor);
  if (next) await env.SEARCH_QUEUE.send({ tenantId, rebuild: next } satisfies RebuildMessage);
}
