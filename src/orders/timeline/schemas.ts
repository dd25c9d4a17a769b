import { z } from '@hono/zod-openapi';
import { ACTOR_KINDS } from '../../kernel/core/actor.ts';
import { text } from '../../kernel/text/text.ts';
import { TIMELINE_TYPES } from './tables.ts';

/** The longest note in characters. */
const MAX_NOTE_LENGTH = 500;

/** A note of the shop about an order. */
export const NoteCreate = z.strictObject({ text: text(MAX_NOTE_LENGTH) }).openapi('OrderNoteCreate');
export type NoteCreate = z.infer<typeof NoteCreate>;

/** The timeline of an order. */
export const OrderTimeline = z
  .object({
    data: z.array(
      z.object({
        at: z.iso.datetime(),
        type: z.enum(TIMELINE_TYPES).openapi({
          description: '`edited`: the order or one of its fulfilments was changed; `details` names what.',
        }),
        by: z
          .object({
            kind: z.enum(ACTOR_KINDS),
            id: z.string().optional().openapi({
              description:
                "The id of the application, the customer or the panel's user, or the payment provider's name.",
            }),
          })
          .openapi({ description: '`system`: the service itself, such as when a deadline passes.' }),
        details: z.record(z.string(), z.unknown()).openapi({
          description:
            'By type. `paid`: `provider`. `refunded`: `refund_id`, `amount`, `currency`, `source`. `fulfilled`: `fulfilment_id`, `items`. `cancelled`: `cancel_reason`. `edited`: `changed`, the names of the changed fields; of a fulfilment also `fulfilment_id` and its `status`. `noted`: `text`, until the customer is erased.',
        }),
      }),
    ),
  })
  .openapi('OrderTimeline');
export type OrderTimeline = z.infer<typeof OrderTimeline>;
