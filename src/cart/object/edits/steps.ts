import { type Failed, ok, type Result } from '../../../kernel/core/result.ts';
import { mergeMetadata } from '../../../kernel/values/metadata.ts';
import { applyTransition, replaceContents, setDelivery } from '../../agent/edits.ts';
import { dropCodes, withRunning } from '../../pricing/cart-promotions.ts';
import { chooseShippingMethod } from '../../pricing/shipping.ts';
import { withoutReservation, withReleasedStock } from '../../pricing/stock.ts';
import type { CartStep, CartSteps } from '../messages.ts';
import type { CartState } from '../state.ts';
import { addLines, removeLine, setAddress, setQuantity, tryCode } from './edits.ts';

/**
 * Applies the edits of one request in their order, all or none. The state after each is the one after a
 * request of its own. A failure of a listed edit has its `details.index` and names its fields by their path.
 */
export function applySteps(before: CartState, { steps, field }: CartSteps, at: number): Result<CartState> {
  let state = before;
  for (const [index, step] of steps.entries()) {
    const isReleased = before.head.reserved !== null && state.head.reserved === null;
    const changed = applyStep(state, isReleased ? withStockReleased(before, step) : step, at);
    if (!changed.ok) return field === null ? changed : failedAt(changed, field, index);
    // An edit releases the stock that checkout has reserved for the version before it.
    if (changed.value !== state) state = withoutReservation(changed.value);
  }
  return ok(withRunning(state, at));
}

/** Returns an edit whose offers were read before the edits ahead of it released the stock that the cart had reserved. */
function withStockReleased(before: CartState, step: CartStep): CartStep {
  if (step.op !== 'add' || !step.addition.ok) return step;
  const { value } = step.addition;
  return { ...step, addition: ok({ ...value, wanted: withReleasedStock(before, value.wanted) }) };
}

/** Returns the line that a single edit's path names; undefined for other edits. */
export function namedLine({ steps, field }: CartSteps): number | undefined {
  const [step] = steps;
  return field === null && (step?.op === 'set' || step?.op === 'remove') ? step.lineId : undefined;
}

function applyStep(state: CartState, step: CartStep, at: number): Result<CartState> {
  switch (step.op) {
    case 'add':
      return step.addition.ok ? addLines(state, step.addition.value) : step.addition;
    case 'set':
      return setQuantity(state, step.lineId, step.quantity);
    case 'remove':
      return removeLine(state, step.lineId);
    case 'coupon':
      return step.found ? tryCode(state, step.found, at) : ok(dropCodes(state, null));
    case 'remove_coupon':
      return ok(dropCodes(state, step.code));
    case 'address':
      return setAddress(state, step.address);
    case 'shipping_method':
      return chooseShippingMethod(state, step.id);
    case 'metadata': {
      const metadata = mergeMetadata(state.head.metadata, step.metadata);
      if (!metadata.ok) return metadata;
      const same = JSON.stringify(metadata.value) === JSON.stringify(state.head.metadata);
      return ok(same ? state : { ...state, head: { ...state.head, metadata: metadata.value } });
    }
    case 'agent_contents':
      return step.contents.ok ? replaceContents(state, step.contents.value, at) : step.contents;
    case 'agent_delivery':
      return setDelivery(state, step.delivery);
    case 'agent_transition':
      return applyTransition(state, step.transition);
  }
}

function failedAt({ failure }: Failed, field: string, index: number): Failed {
  const { errors, details } = failure;
  const named = errors && Object.entries(errors).map(([name, texts]) => [`${field}.${index}.${name}`, texts]);
  return {
    ok: false,
    failure: {
      ...failure,
      details: { ...details, index },
      ...(named && { errors: Object.fromEntries(named) }),
    },
  };
}
