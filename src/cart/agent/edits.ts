import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import { sharesLine, withLines } from '../object/edits/edits.ts';
import type { CartState } from '../object/state.ts';
import { applyCode } from '../pricing/cart-promotions.ts';
import { withKnownAvailability } from '../pricing/stock.ts';
import {
  type AgentContents,
  type AgentDelivery,
  type AgentTransition,
  type CartAgent,
  MAX_NOTES_BYTES,
  type SubmittedCode,
} from './agent-cart.ts';

const NEW_AGENT = { checkouts: 0, cancelled: false, ended: false } as const;

/**
 * Replaces what a cart holds with what its agent says. A line that the cart had keeps its id. Insufficient stock
 * doesn't fail: the cart shows it, so that the agent can tell the buyer. A refused code stays with its reason.
 * Fails with `cart_not_found` for a cancelled cart or an earlier checkout, and `conflict` for a cancelled one.
 */
export function replaceContents(before: CartState, contents: AgentContents, at: number): Result<CartState> {
  const { profile, buyer, email, checkout } = contents;
  const ended = before.head.agent && endedAs(before.head.agent, checkout);
  if (ended) return ended;
  const filled = withContents(before, contents);
  if (!filled.ok) return filled;
  const { state, codes } = withCodes(filled.value, contents.codes, at);
  const known = { notes: '', ...NEW_AGENT, ...before.head.agent };
  const agent = { ...known, profile, buyer, codes, ...(known.cancelled && { superseded: true }) };
  const after = setDelivery({ ...state, head: { ...state.head, email, agent } }, contents);
  return after.ok && contentOf(after.value) === contentOf(before) ? ok(before) : after;
}

/** Sets where an agent has the goods delivered; `cart_not_found` if no agent holds the cart. */
export function setDelivery(
  state: CartState,
  { address, shippingMethod, notes }: AgentDelivery,
): Result<CartState> {
  const { agent } = state.head;
  if (!agent) return fail('cart_not_found');
  if (new TextEncoder().encode(notes).length > MAX_NOTES_BYTES) {
    return invalid('cart', `must have at most ${MAX_NOTES_BYTES} bytes`);
  }
  return ok({ ...state, head: { ...state.head, address, shippingMethod, agent: { ...agent, notes } } });
}

/** Returns why a cart or one of its checkouts can't be changed; null if it can. */
function endedAs({ ended, cancelled, checkouts, superseded }: CartAgent, checkout: number | null) {
  if (ended || (checkout !== null && (superseded || checkout !== checkouts))) return fail('cart_not_found');
  return checkout !== null && cancelled ? fail('conflict') : null;
}

/** Returns the content of a cart as text, without what an identical update changes. */
const contentOf = ({ head, lines }: CartState): string =>
  JSON.stringify([{ ...head, nextLine: 0, pricedAt: 0 }, lines]);

/** Returns the cart with these lines in place of its own, and without codes. */
function withContents(before: CartState, { version, wanted }: AgentContents): Result<CartState> {
  const empty = { ...before, lines: [], head: { ...before.head, codes: [] } };
  const filled = withLines(empty, { version, wanted: withKnownAvailability(before, wanted) });
  if (!filled.ok) return filled;
  const lines = filled.value.lines.map((line) => {
    const same = before.lines.find(({ offer }) => sharesLine(offer, line.offer));
    return same ? { ...line, id: same.id } : line;
  });
  // Stored lines are read in the order of their ids.
  return ok({ ...filled.value, lines: lines.sort((a, b) => a.id - b.id) });
}

/** Applies codes in their order; returns the cart, and each code with the reason why it was refused or replaced. */
function withCodes(
  before: CartState,
  submitted: AgentContents['codes'],
  at: number,
): { readonly state: CartState; readonly codes: readonly SubmittedCode[] } {
  let state = before;
  const tried: (SubmittedCode & { readonly id: number | null })[] = [];
  for (const { code, found } of submitted) {
    const isKnown = found.ok && state.head.codes.some(({ id }) => id === found.value.id);
    const applied = found.ok && !isKnown ? applyCode(state, found.value, at) : null;
    if (applied?.ok) state = applied.value;
    const refusal = isKnown ? 'already_applied' : refusalOf(applied ?? found);
    tried.push({ code, refusal, id: found.ok ? found.value.id : null });
  }
  const held = new Set(state.head.codes.map(({ id }) => id));
  const codes = tried.map(({ code, refusal, id }) => ({
    code,
    refusal: refusal ?? (id !== null && !held.has(id) ? 'replaced' : null),
  }));
  return { state, codes };
}

const refusalOf = (applied: Result<unknown>): string | null => {
  if (applied.ok) return null;
  const { code, details } = applied.failure;
  return typeof details?.reason === 'string' ? details.reason : code;
};

/**
 * Starts or cancels a checkout of a cart, or cancels the cart. Starting one that is open changes nothing. Fails with
 * `cart_not_found` for a cancelled cart or an earlier checkout, and `conflict` for a cancelled one.
 */
export function applyTransition(state: CartState, transition: AgentTransition): Result<CartState> {
  const { agent } = state.head;
  if (!agent) return fail('cart_not_found');
  const ended = endedAs(agent, transition.to === 'cancel_checkout' ? transition.checkout : null);
  if (ended) return ended;
  const next = nextAgent(agent, transition);
  return ok(next === agent ? state : { ...state, head: { ...state.head, agent: next } });
}

function nextAgent(agent: CartAgent, { to }: AgentTransition): CartAgent {
  switch (to) {
    case 'start_checkout':
      if (agent.checkouts > 0 && !agent.cancelled) return agent;
      return { ...agent, checkouts: agent.checkouts + 1, cancelled: false, superseded: false };
    case 'cancel_checkout':
      return { ...agent, cancelled: true };
    case 'cancel_cart':
      return { ...agent, ended: true };
  }
}
