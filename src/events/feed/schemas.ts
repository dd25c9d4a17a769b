import { z } from '@hono/zod-openapi';
import { cursorFormat } from '../../kernel/core/cursor.ts';
import { limitUpTo } from '../../kernel/core/pagination.ts';
import { COMMA_LIST } from '../../kernel/openapi/comma-list.ts';
import { EVENT_TYPES, type EventType } from '../tables.ts';
import type { FeedPosition } from './read-events.ts';

/** The longest time (s) that a call waits for an event. */
const MAX_WAIT_S = 20;

/** A cursor's content: the tenant's id, the position, the event there, and since when events follow (ms). */
const cursors = cursorFormat('events', z.tuple([z.int(), z.int().min(0), z.string(), z.int()]));

/** Returns the cursor that continues a tenant's feed after a position. */
export const cursorOf = (tenantId: number, { position, eventId, since }: FeedPosition): string =>
  cursors.encode([tenantId, position, eventId, since]);

/** The `after` of a reader that starts after everything that has happened. */
export const LATEST = 'latest';

/** Where to continue: after everything that has happened, or after a position of a tenant's feed. */
type After = typeof LATEST | (FeedPosition & { readonly tenantId: number });

const isEventType = (text: string): text is EventType => EVENT_TYPES.some((type) => type === text);

const NOT_TYPES = `must be a comma-separated list of ${EVENT_TYPES.join(', ')}`;

/** The query parameters of the event feed. */
export const EventQuery = z.object({
  after: z
    .string()
    .transform((text, context): After => {
      if (text === LATEST) return LATEST;
      const cursor = cursors.decode(text);
      if (cursor) {
        const [tenantId, position, eventId, since] = cursor;
        return { tenantId, position, eventId, since };
      }
      context.addIssue({ code: 'custom', message: `must be ${LATEST} or the next_cursor of a page` });
      return z.NEVER;
    })
    .optional()
    .openapi({
      type: 'string',
      maxLength: 2_048,
      description:
        'The `next_cursor` of the previous page, also with other `types`; or `latest`, after everything that has happened. Default: the oldest event.',
    }),
  types: z
    .string()
    .transform((list, context): EventType[] => {
      const types = [...new Set(list.split(',').map((one) => one.trim()))];
      if (types.every(isEventType)) return types.filter(isEventType);
      context.addIssue({ code: 'custom', message: NOT_TYPES });
      return z.NEVER;
    })
    .optional()
    .openapi({
      ...COMMA_LIST,
      type: 'string',
      example: 'order.paid,order.cancelled',
      description: 'Comma-separated list of event types. Default: every type that the token may read.',
    }),
  limit: limitUpTo(100, 20),
  wait: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().max(MAX_WAIT_S, `must be at most ${MAX_WAIT_S}`))
    .default(0)
    .openapi({
      type: 'integer',
      minimum: 0,
      maximum: MAX_WAIT_S,
      default: 0,
      description: 'For how many seconds the call waits for an event when there is none.',
    }),
});
export type EventQuery = z.output<typeof EventQuery>;

/** The fields that every event's data has. */
const commonFields = {
  sequence: z
    .int()
    .openapi({ description: 'Increases for each resource: an event with a lower value is older.' }),
  occurred_at: z.iso.datetime(),
};

/** The schemas of each event type's data, by the modules that emit them. */
export type EventData = Readonly<Record<EventType, z.ZodObject>>;

/** The schema of an event's body in its envelope. */
export const eventSchema = <Type extends string>(type: Type, data: z.ZodObject) =>
  z.object({
    id: z.string().openapi({ example: 'evt_5d0c1f9a7e42b86c3d90fa17' }),
    type: z.literal(type),
    timestamp: z.iso.datetime().openapi({ description: 'When the event occurred.' }),
    data,
  });

/** Returns the name of an event type in the OpenAPI document: `order.paid` → `OrderPaid`. */
export const eventName = (type: string): string =>
  type.replaceAll(/(?:^|[._])(.)/g, (_, first: string) => first.toUpperCase());

/** Returns the schema of each event type's body: `OrderPaidEvent`. */
export const eventSchemas = (data: EventData) =>
  EVENT_TYPES.map((type) =>
    eventSchema(type, data[type].extend(commonFields)).openapi(`${eventName(type)}Event`),
  );

/** The schema of one event type's body. */
export type EventSchema = ReturnType<typeof eventSchemas>[number];

/** Returns the schema of a page of the feed. */
export const eventPage = ([first, ...rest]: readonly EventSchema[]) => {
  if (!first) throw new Error('There are no event types');
  return z
    .object({
      data: z.array(z.discriminatedUnion('type', [first, ...rest]).openapi('Event')),
      meta: z.object({
        next_cursor: z.string().openapi({
          description: 'The `after` of the next call. Also given when there is no event yet.',
        }),
      }),
    })
    .openapi('EventPage');
};
