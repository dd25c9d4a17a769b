import type { AgentContents } from '../../cart/index.ts';
import { MAX_LINE_QUANTITY } from '../../kernel/core/limits.ts';
import { MAX_AMOUNT } from '../../kernel/values/money.ts';
import type { Message } from '../protocol/messages.ts';
import { itemTitle, lineItemId } from './present.ts';

type Wanted = AgentContents['wanted'];
type Offer = Wanted[number]['offer'];

/** The offers of line items within the limits of a line, and a warning for each that was reduced. */
interface LimitedOffers {
  readonly wanted: Wanted;
  readonly messages: readonly Message[];
}

/** The path of the items: a reduced one is known by its title, as the cart decides which line it becomes. */
const PATH = '$.line_items';

/**
 * Merges the offers that share a line of the cart, and reduces each to what a line holds: {@link MAX_LINE_QUANTITY},
 * and {@link MAX_AMOUNT} at its price in the currency.
 */
export function withinLineLimits(offers: Wanted, currency: string): LimitedOffers {
  const lines = new Map<string, Wanted[number]>();
  for (const { offer, quantity } of offers) {
    const id = lineItemId(offer);
    lines.set(id, { offer, quantity: (lines.get(id)?.quantity ?? 0) + quantity });
  }
  const asked = [...lines.values()];
  const wanted = asked.map(({ offer, quantity }) => ({
    offer,
    quantity: Math.min(quantity, mostOf(offer, currency)),
  }));
  const messages = asked.flatMap(({ offer, quantity }, n) => {
    const most = wanted[n]?.quantity ?? quantity;
    return quantity > most ? adjusted(offer, quantity, most) : [];
  });
  return { wanted, messages };
}

/** Returns the largest quantity of a line: of free offers the amount sets no limit. */
const mostOf = ({ prices }: Offer, currency: string): number =>
  Math.min(MAX_LINE_QUANTITY, Math.floor(MAX_AMOUNT / Math.max(prices[currency] ?? 0, 1)));

function adjusted({ name, selected }: Offer, quantity: number, most: number): Message {
  const choices = selected.map(({ value }) => value);
  const content = `The quantity of ${itemTitle(name, choices)} was reduced from ${quantity} to ${most}, the most of one line.`;
  return { type: 'warning', code: 'quantity_adjusted', path: PATH, content };
}
