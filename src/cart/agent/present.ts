import { now } from '../../kernel/core/clock.ts';
import { fold } from '../../kernel/text/fold.ts';
import {
  isDeliverable,
  lineShares,
  presentShippingMethods,
  promotionShares,
  shownTotals,
  type TracedTotals,
  waivedShipping,
} from '../../pricing/index.ts';
import { tokenKeyVersion } from '../client/cart-id.ts';
import { type CartState, expiresAt, lockingOrder } from '../object/state.ts';
import { promotionOn } from '../pricing/cart-promotions.ts';
import { unappliedCodes } from '../pricing/explain.ts';
import { warningsOf } from '../pricing/warnings.ts';
import type { AgentCart, AgentLine, AgentOrder, SubmittedCode } from './agent-cart.ts';

/** Renders a cart for the agent that holds it; null if none does. */
export function presentAgentCart(state: CartState, traced: TracedTotals): AgentCart | null {
  const { head } = state;
  const { totals, applied, shipping } = traced;
  if (!head.agent) return null;
  return {
    keyVersion: tokenKeyVersion(head.token),
    currency: head.currency,
    expiresAt: expiresAt(state),
    lines: linesOf(state, traced),
    totals: shownTotals(totals),
    promotions: promotionShares(applied),
    shippingWaived: waivedShipping(shipping),
    waivedBy:
      applied.find(({ promotion }) => promotion.benefit.kind === 'free_shipping')?.promotion.id ?? null,
    shippingMethods: presentShippingMethods(shipping, head.currency),
    shippingMethod: head.shippingMethod,
    deliverable: isDeliverable(shipping),
    address: head.address,
    email: head.email,
    agent: { ...head.agent, codes: currentCodes(state, traced, head.agent.codes) },
    order: orderOf(state),
  };
}

/**
 * Returns the submitted codes, with the reason why one that was accepted has no effect any more: its promotion
 * refuses the cart by now, has nothing to reduce, or left it (`gone`).
 */
function currentCodes(
  state: CartState,
  traced: TracedTotals,
  submitted: readonly SubmittedCode[],
): readonly SubmittedCode[] {
  const at = now();
  const { codes } = state.head;
  // What was ordered is decided.
  if (lockingOrder(state, at)) return submitted;
  const unapplied = unappliedCodes(state, traced, at);
  return submitted.map(({ code, refusal }) => {
    if (refusal !== null) return { code, refusal };
    const held = codes.find((one) => fold(one.code ?? '') === fold(code.trim()));
    if (!held) return { code, refusal: 'gone' };
    const found = promotionOn(state, held, at);
    if ('refusal' in found) return { code, refusal: found.refusal };
    return {
      code,
      refusal: unapplied.get(held.id)?.reason === 'nothing_to_reduce' ? 'nothing_to_reduce' : null,
    };
  });
}

function linesOf(state: CartState, { totals, applied, shipping }: TracedTotals): AgentLine[] {
  const warnings = warningsOf(state, shipping);
  return state.lines.map(({ id, offer, unitPrice, quantity }, n) => {
    const { productId, variantId, name, image, selected, ships, options } = offer;
    const warning = warnings.find(({ item_id, code }) => item_id === id && code !== 'price_changed');
    return {
      productId,
      variantId,
      name,
      image,
      selected,
      ships,
      options,
      unitPrice,
      quantity,
      subtotal: totals.lines[n]?.subtotal ?? 0,
      discounts: lineShares(applied, n),
      warning: warning ? { code: warning.code, message: warning.message } : null,
    };
  });
}

function orderOf(state: CartState): AgentOrder | null {
  const lock = lockingOrder(state, now());
  return lock && lock.state !== 'placing' ? { id: lock.id, state: lock.state } : null;
}
