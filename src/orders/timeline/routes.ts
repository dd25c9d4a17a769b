import { ok, type Result } from '../../kernel/core/result.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { orderExamples } from '../examples.ts';
import { dataSubjectOf } from '../forget.ts';
import { OrderParams } from '../schemas.ts';
import { addNote } from './add-note.ts';
import { presentEntry } from './present.ts';
import { NoteCreate, OrderTimeline } from './schemas.ts';
import { readTimeline } from './store.ts';

const tag = 'Orders';

/** Renders the timeline of an order; `order_not_found`. */
async function timelineOf(ctx: TenantDatabase, orderId: string): Promise<Result<OrderTimeline>> {
  const entries = await readTimeline(ctx, orderId);
  return entries.ok ? ok({ data: entries.value.map(presentEntry) }) : entries;
}

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
  (call) => timelineOf(call, call.params.id),
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
    return timelineOf(call, params.id);
  },
);

/** The endpoints of an order's timeline. */
export const timelineEndpoints: readonly Endpoint[] = [read, note];
