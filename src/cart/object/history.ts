import { iso, now } from '../../kernel/core/clock.ts';
import type { Result } from '../../kernel/core/result.ts';
import { type CartTotals, presentTotals, type ShownTotals, shownTotals } from '../../pricing/index.ts';
import type { CartHistory } from '../history-schemas.ts';
import type { OfferQuantity } from '../options/offer.ts';
import type { CartStep } from './messages.ts';

/** The most versions in a cart's history; older ones are deleted. */
export const MAX_HISTORY_VERSIONS = 200;
/** The most operations that the history keeps of one version. */
const MAX_HISTORY_OPERATIONS = 100;

/** What was done to a cart, without personal data: no address, metadata or custom options. */
export type HistoryOperation = CartHistory['data'][number]['operations'][number];

/** What made a version: operations, and the application that asked for them. */
interface VersionOrigin {
  readonly application: number | null;
  readonly operations: readonly HistoryOperation[];
}

/** One version of a cart. Amounts in minor units. */
export interface HistoryEntry extends VersionOrigin {
  readonly at: number;
  readonly totals: ShownTotals;
}

/** Returns the entry of a version that was made just now. */
export function entryOf({ application, operations }: VersionOrigin, totals: CartTotals): HistoryEntry {
  return {
    at: now(),
    application,
    operations: operations.slice(0, MAX_HISTORY_OPERATIONS),
    totals: shownTotals(totals),
  };
}

/** Returns what the history keeps of an edit. */
export function operationsOf(step: CartStep): HistoryOperation[] {
  switch (step.op) {
    case 'add':
      return additionsOf(step.addition);
    case 'agent_contents':
      return additionsOf(step.contents);
    case 'agent_delivery':
      return [{ op: 'address' }];
    case 'agent_transition':
      return [];
    case 'set':
      return [{ op: 'set', item_id: step.lineId, quantity: step.quantity }];
    case 'remove':
      return [{ op: 'remove', item_id: step.lineId }];
    case 'coupon':
      return [{ op: 'coupon', code: step.found?.ok ? step.found.value.code : null }];
    case 'remove_coupon':
      return [{ op: step.op, code: step.code }];
    case 'shipping_method':
      return [{ op: 'shipping_method', id: step.id }];
    case 'address':
    case 'metadata':
      return [{ op: step.op }];
  }
}

const additionsOf = (added: Result<{ readonly wanted: readonly OfferQuantity[] }>): HistoryOperation[] =>
  (added.ok ? added.value.wanted : []).map(({ offer, quantity }) => ({
    op: 'add',
    product_id: offer.productId,
    variant_id: offer.variantId,
    quantity,
  }));

/** Renders the history, newest version first. */
export const presentHistory = (
  entries: readonly (HistoryEntry & { readonly version: number })[],
  currency: string,
): CartHistory => ({
  data: entries.map(({ version, at, application, operations, totals }) => ({
    version,
    at: iso(at),
    application_id: application,
    operations: [...operations],
    totals: presentTotals(totals, currency),
  })),
  currency,
});
