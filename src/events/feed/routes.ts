import { inTurn } from '../../kernel/async/memory-turns.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { Call } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { waitForEvents } from '../../tenants/index.ts';
import { eventBody } from '../envelope.ts';
import { readableEvents, unreadable } from '../event-access.ts';
import type { EventType } from '../tables.ts';
import { type EventExamples, feedExample } from './examples.ts';
import { type FeedPage, type FeedPosition, latestPosition, readEvents } from './read-events.ts';
import { cursorOf, EventQuery, type EventSchema, eventPage, LATEST } from './schemas.ts';

type FeedCall = Call<unknown, EventQuery>;

const PATH = '/v1/events';

const DESCRIPTION = `Everything that happened, in commit order and without gaps: the events that webhooks can subscribe to, each with the same id and body as a webhook gets. Start without \`after\` at the oldest event, or with \`after=latest\` at the next one (that call returns none, and doesn't wait), then pass each \`meta.next_cursor\` as \`after\`. Store it after the events were handled: the same cursor returns the same events again.

With \`wait\` the call is held until there is an event, and returns it at once. At most 10 calls of an application and 100 of a tenant wait at the same time; others return at once. A page may have fewer than \`limit\` events; one without events is the end for now, though its \`next_cursor\` can be a new one each time.

Events are kept for 30 days. \`cursor_expired\`: the cursor is older, so events may be missing; start with \`after=latest\`, then read the resources again, ten seconds later since stock may be that late. Each type requires its read scope: orders \`orders:read\`, customers and abandoned carts \`customers:admin\`, all others \`catalog:read\`.`;

/** Returns the types to read: those asked for, which must all be readable, or every readable one. */
function typesOf({ caller, query }: FeedCall): Result<readonly EventType[]> {
  const readable = readableEvents(caller);
  return unreadable(query.types, readable) ?? ok(query.types ?? readable);
}

/** Reads the events after a position, as far as the caller's current scopes reach. */
async function readPage(call: FeedCall, after: FeedPosition | null): Promise<Result<FeedPage>> {
  const types = typesOf(call);
  if (!types.ok) return types;
  const wanted = { after, types: types.value, limit: call.query.limit };
  const page = await inTurn({ tenantId: call.tenantId, name: PATH }, () => readEvents(call, wanted));
  return page ?? fail('unavailable');
}

/** Returns the page with which a reader starts after everything that has happened. */
async function startAtLatest(call: FeedCall): Promise<Result<FeedPage>> {
  const types = typesOf(call);
  return types.ok ? ok({ events: [], next: await latestPosition(call) }) : types;
}

/**
 * Waits until there may be events after an empty page; returns the page then. The wait outlasts the caller's
 * lease, so the token is checked again.
 */
async function waitAndRead(call: FeedCall, page: FeedPage): Promise<Result<FeedPage>> {
  const { caller, query } = call;
  const types = typesOf(call);
  if (!types.ok) return types;
  const { applicationId } = caller;
  const wait = { applicationId, after: page.next.position, types: types.value, waitMs: query.wait * 1_000 };
  const end = await waitForEvents(call, wait);
  if (end === 'busy') return ok(page);
  const failure = await call.recheckAccess();
  return failure ? { ok: false, failure } : readPage(call, page.next);
}

/** Reads the events after a position; waits for one, as long as the call asks for, where there is none. */
async function readOrWait(call: FeedCall, after: FeedPosition | null): Promise<Result<FeedPage>> {
  const page = await readPage(call, after);
  const isOver = !page.ok || page.value.events.length > 0 || call.query.wait === 0;
  return isOver ? page : waitAndRead(call, page.value);
}

/**
 * Returns the endpoint of the event feed. The schemas and examples of the events are those of the modules that
 * emit them.
 */
export const eventFeedEndpoints = (
  events: readonly EventSchema[],
  examples: EventExamples,
): readonly Endpoint[] => [
  endpoint(
    {
      method: 'get',
      path: PATH,
      tag: 'Events',
      summary: 'List events in the order in which they happened',
      description: DESCRIPTION,
      access: 'webhooks:read',
      feature: 'webhooks',
      query: EventQuery,
      waits: true,
      answer: eventPage(events),
      errors: ['cursor_expired'],
      example: () => feedExample(examples),
    },
    async (call) => {
      const { tenantId, query } = call;
      const { after } = query;
      if (after && after !== LATEST && after.tenantId !== tenantId)
        return invalid('after', 'must be a next_cursor of this tenant');
      // It doesn't wait: an event that comes before the reader has stored a cursor would be lost by a retry.
      const page = after === LATEST ? await startAtLatest(call) : await readOrWait(call, after ?? null);
      if (!page.ok) return page;
      const next_cursor = cursorOf(tenantId, page.value.next);
      return ok({ data: page.value.events.map(eventBody), meta: { next_cursor } });
    },
  ),
];
