import type { AgentCart } from '../../cart/index.ts';
import { missingBuyerFields } from '../../checkout/index.ts';
import type { Failed } from '../../kernel/core/result.ts';
import { fold } from '../../kernel/text/fold.ts';
import { readNotes } from '../cart/notes.ts';
import { lineMessages } from '../cart/present.ts';
import type { UcpContext } from '../context.ts';
import type { Message } from '../protocol/messages.ts';

const DESTINATION = '$.fulfillment.methods[0].destinations[0]';

/** Where the protocol has the fields that a checkout needs, and what it calls them. */
const FIELDS: Readonly<Record<string, readonly [path: string, name: string]>> = {
  email: ['$.buyer.email', "The buyer's e-mail address"],
  first_name: ['$.buyer.first_name', "The buyer's first name"],
  line1: [`${DESTINATION}.street_address`, 'The street address'],
  postal_code: [`${DESTINATION}.postal_code`, 'The postal code'],
  city: [`${DESTINATION}.address_locality`, 'The locality of the address'],
  country: [`${DESTINATION}.address_country`, 'The country'],
};

/**
 * Returns what keeps an open checkout from being paid: what the last request got wrong, items that ran out, and what
 * is missing. A field that the agent has no means to send is for the buyer to enter on the page.
 */
export function blockingMessages(ctx: UcpContext, cart: AgentCart): Message[] {
  const { lines, deliverable, agent } = cart;
  const notes = readNotes(agent.notes);
  const noted = [...notes.messages, ...lineMessages(cart)];
  if (lines.length === 0) return [...noted, EMPTY];
  return [
    ...noted,
    ...missingMessages(ctx, cart),
    ...(deliverable || cart.address === null ? [] : [UNDELIVERABLE]),
    ...(notes.destinations.length > 1 && notes.destinationId === null ? [UNSELECTED] : []),
    ...unknownOption(cart),
  ];
}

/**
 * Returns an error for a selected option that the shop does not offer for the address, or no longer offers. Without
 * any option the delivery itself is the problem.
 */
function unknownOption({ address, shippingMethod, shippingMethods: methods }: AgentCart): Message[] {
  const applied = methods.find(({ selected }) => selected);
  // A stored reply of an earlier version has no shippingMethod.
  if (!shippingMethod || address === null || !applied || applied.id === shippingMethod) return [];
  return [
    {
      type: 'error',
      code: 'invalid_fulfillment_option',
      severity: 'recoverable',
      path: '$.fulfillment.methods[0].groups[0].selected_option_id',
      content: `The option '${shippingMethod}' is not offered. The totals have '${applied.id}' until one of the options is selected.`,
    },
  ];
}

const EMPTY: Message = {
  type: 'error',
  code: 'line_items_required',
  severity: 'recoverable',
  path: '$.line_items',
  content: 'The checkout has no items.',
};

const UNDELIVERABLE: Message = {
  type: 'error',
  code: 'address_undeliverable',
  severity: 'recoverable',
  path: '$.fulfillment.methods[0].selected_destination_id',
  content: 'The shop does not deliver these items to this country.',
};

const UNSELECTED: Message = {
  type: 'error',
  code: 'field_required',
  severity: 'recoverable',
  path: '$.fulfillment.methods[0].selected_destination_id',
  content: 'One of the destinations must be selected.',
};

function missingMessages({ negotiated }: UcpContext, cart: AgentCart): Message[] {
  const ships = cart.lines.some((line) => line.ships);
  const canShip = negotiated.has('dev.ucp.shopping.fulfillment');
  const missing = missingBuyerFields({
    ships,
    email: cart.email,
    buyer: cart.agent.buyer,
    address: cart.address,
  });
  return missing.flatMap((field): Message[] => {
    const [path, name] = FIELDS[field] ?? [`$.buyer.${field}`, field];
    // The country of a buyer to whom nothing is shipped is entered on the page, unless nothing is left to pay there.
    const isForPage = path.startsWith(DESTINATION) && (!ships || !canShip);
    if (isForPage && !ships && cart.totals.grandTotal > 0) return [];
    const shownPath = ships ? path : path.replace(DESTINATION, '$.context');
    const severity = isForPage && ships ? 'requires_buyer_input' : 'recoverable';
    return [
      {
        type: 'error',
        code: 'field_required',
        severity,
        content: `${name} is missing.`,
        // Without the extension a response has no field for the address.
        ...((canShip || !ships || !isForPage) && { path: shownPath }),
      },
    ];
  });
}

/** The message of a checkout whose order has to be paid. */
export const PAYMENT_REQUIRED: Message = {
  type: 'error',
  code: 'payment_required',
  severity: 'requires_buyer_input',
  content: 'The buyer reviews the order and pays on the page of continue_url.',
};

/** Why a code can't be redeemed by this buyer, whose e-mail address is compared when the order is placed: no retry helps. */
const OF_BUYER: readonly unknown[] = ['used_up_by_customer', 'not_first_order'];

/**
 * Returns the message for a code that this buyer can't redeem, or for an order that isn't free any more without an offer;
 * null for another failure.
 */
export function offerRefusal({ agent }: AgentCart, { failure }: Failed): Message | null {
  const { code, message, details } = failure;
  if (code === 'price_changed') return PAYMENT_REQUIRED;
  if (code !== 'coupon_not_applicable' || !OF_BUYER.includes(details?.reason)) return null;
  const refused = fold(String(details?.code));
  const n = agent.codes.findIndex((one) => fold(one.code.trim()) === refused);
  return {
    type: 'error',
    code: 'discount_code_user_ineligible',
    severity: 'recoverable',
    path: `$.discounts.codes[${n}]`,
    content: message ?? 'The code cannot be used by this buyer.',
  };
}
