import { ok } from '../../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { orderExamples } from '../examples.ts';
import { dataSubjectOf } from '../forget.ts';
import { OrderParams } from '../schemas.ts';
import { addNote } from './add-note.ts';
import { presentTimeline } from './present.ts';
import { readTimeline } from './read-timeline.ts';
import { NoteCreate, OrderTimeline } from './schemas.ts';

const tag = 'Orders';

const read = endpoint(
  {
    method: 'get',
    path: '/v1/orders/{id}/timeline',
    id: 'getOrderTimeline',
    tag,
    summary: "Get an order's timeline",
    description:
      'What happened to the order, oldest first, and who did it: its latest 200 entries. Erasing the customer removes personal data from it.',
    access: 'orders:read',
    params: OrderParams,
    answer: OrderTimeline,
    errors: ['order_not_found'],
    example: orderExamples.timeline,
  },
  async (call) => {
    const entries = await readTimeline(call, call.params.id);
    return entries.ok ? ok(presentTimeline(entries.value)) : entries;
  },
);

const note = endpoint(
  {
    method: 'post',
    path: '/v1/orders/{id}/notes',
    id: 'addOrderNote',
    tag,
    summary: "Add a note to an order's timeline",
    description:
      'For the people of the shop: the customer never sees it, and erasing the customer deletes its text. Returns the timeline. Raises no event.',
    access: 'orders:write',
    params: OrderParams,
    body: NoteCreate,
    status: 201,
    answer: OrderTimeline,
    errors: ['order_not_found', 'conflict'],
    example: orderExamples.note,
  },
  async (call) => {
    const { params, body, once } = call;
    const noted = await addNote(call, params.id, { ...body, once });
    if (!noted.ok) return noted;
    // A stored response has the note's text, which the erasure of the buyer must reach.
    call.c.set('concerns', dataSubjectOf(noted.value.row));
    const entries = await readTimeline(call, params.id);
    return entries.ok ? ok(presentTimeline(entries.value)) : entries;
  },
);

/** The endpoints of an order's timeline. */
export const timelineEndpoints: readonly Endpoint[] = [read, note];
