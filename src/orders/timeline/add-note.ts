import { ok, type Result } from '../../kernel/core/result.ts';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { transitionOf } from '../lifecycle/apply-transition.ts';
import type { StoredOrder } from '../store.ts';
import { orderById } from '../store.ts';
import type { NoteCreate } from './schemas.ts';

interface NewNote extends NoteCreate {
  /** Marks the call's Idempotency-Key as used. */
  readonly mark: () => readonly Statement[];
}

const append = transitionOf<NewNote>((_, { input: { text, mark } }) => ({
  transition: { set: {}, statements: [...mark()], timeline: [{ type: 'noted', details: { text } }] },
}));

/** Adds a note to an order's timeline; `order_not_found`. Raises no event. */
export async function addNote(
  ctx: TenantContext,
  orderId: string,
  { text, once }: NoteCreate & { readonly once: IdempotencyScope },
): Promise<Result<StoredOrder>> {
  if (once.ref !== null) return orderById(ctx, orderId);
  const noted = await append(ctx, orderId, { text, mark: () => once.mark(orderId) });
  return noted.ok ? ok(noted.value) : noted;
}
