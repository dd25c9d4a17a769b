import type { EventBody } from '../envelope.ts';
import type { EventType } from '../tables.ts';
import { cursorOf } from './schemas.ts';

/** An example of each event type's data, without the fields that every event has. */
export type EventExamples = Readonly<Record<EventType, () => object>>;

/** The envelope's id in examples. */
const EXAMPLE_EVENT_ID = 'evt_5d0c1f9a7e42b86c3d90fa17';
const OCCURRED = '2026-11-23T11:52:20.918Z';

/** Returns the example of an event with this data. */
export const exampleEvent = <Type extends string>(type: Type, data: object): EventBody<Type> => ({
  id: EXAMPLE_EVENT_ID,
  type,
  timestamp: OCCURRED,
  data: { ...data, sequence: Date.parse(OCCURRED), occurred_at: OCCURRED },
});

/** Returns the example of the event feed. */
export const feedExample = (examples: EventExamples) => ({
  query: { types: 'order.paid', limit: 1 },
  answer: {
    data: [exampleEvent('order.paid' as const, examples['order.paid']())],
    meta: {
      next_cursor: cursorOf(1, { position: 41, eventId: EXAMPLE_EVENT_ID, since: Date.parse(OCCURRED) }),
    },
  },
});
