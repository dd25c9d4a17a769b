import type { Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { transitionOf } from '../lifecycle/apply-transition.ts';
import type { StoredOrder } from '../store.ts';
import { orderById } from '../store.ts';
import type { NoteCreate } from './schemas.ts';

interface NewNote extends NoteCreate {
  readonly once: IdempotencyScope;
}

const append = transitionOf<NewNote>((_, { order, input: { text, once } }) => ({
  transition: {
    set: {},
    statements: once.mark(order.row.id),
    timeline: [{ type: 'noted', details: { text } }],
  },
}));

/** Adds a note to an order's timeline; `order_not_found`. Raises no event. */
export async function addNote(
  ctx: TenantContext,
  orderId: string,
  note: NewNote,
): Promise<Result<StoredOrder>> {
  return note.once.ref === null ? append(ctx, orderId, note) : orderById(ctx, orderId);
}
