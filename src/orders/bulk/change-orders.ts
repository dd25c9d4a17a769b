import { ERRORS, type Failure } from '../../kernel/core/errors.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { fulfilRest } from '../fulfilments/fulfil-order.ts';
import { patchOrder, tagsAfter } from '../lifecycle/transitions.ts';
import { orderRow } from '../store.ts';
import type { OrderBulkChange, OrderBulkResult } from './schemas.ts';

/** Several orders, and the change that each of them gets. */
interface Bulk {
  readonly ids: readonly string[];
  readonly change: OrderBulkChange;
}

/**
 * Applies the same change to several orders, one after the other, each in commits of its own. An order that refuses it
 * is reported; the others change. Idempotent: an order that is as the change says stays as it is.
 */
export async function changeOrders(ctx: TenantContext, { ids, change }: Bulk): Promise<OrderBulkResult> {
  const errors: OrderBulkResult['errors'] = [];
  for (const id of ids) {
    const changed = await changeOrder(ctx, id, change);
    if (!changed.ok) errors.push({ id, ...describe(changed.failure) });
  }
  return { updated: ids.length - errors.length, errors };
}

/**
 * Fulfils first: an order that can't be fulfilled is not archived or tagged as if it were. One that refuses its tags is
 * not fulfilled either.
 */
async function changeOrder(
  ctx: TenantContext,
  id: string,
  { fulfil, ...edit }: OrderBulkChange,
): Promise<Result<unknown>> {
  const refused = fulfil && edit.add_tags ? await refusedTags(ctx, id, edit) : null;
  if (refused) return refused;
  const fulfilled = fulfil ? await fulfilRest(ctx, id) : ok(null);
  const edits = Object.values(edit).some((value) => value !== undefined);
  return fulfilled.ok && edits ? patchOrder(ctx, id, edit) : fulfilled;
}

/** Returns why an order doesn't take the tags of an edit, or null. */
async function refusedTags(ctx: TenantContext, id: string, edit: OrderBulkChange): Promise<Failed | null> {
  const [row] = await orderRow(ctx, id);
  if (!row) return fail('order_not_found');
  const tags = tagsAfter(row.tags, edit);
  return tags.ok ? null : tags;
}

function describe({ code, message, errors = {} }: Failure): { code: string; message: string } {
  const reasons = Object.entries(errors).map(([field, texts]) => `${field} ${texts.join(', ')}`);
  return { code, message: reasons.length > 0 ? reasons.join('; ') : (message ?? ERRORS[code][1]) };
}
