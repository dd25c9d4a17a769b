import {
  type AgentCart,
  type AgentLine,
  type CartAgent,
  type FoundAgentCart,
  isCancelled,
  type SubmittedCode,
} from '../../cart/index.ts';
import { continueUrl } from '../../checkout/index.ts';
import { iso } from '../../kernel/core/clock.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { fold } from '../../kernel/text/fold.ts';
import { variantItemId } from '../catalog/item-id.ts';
import type { UcpContext } from '../context.ts';
import { policyLinks } from '../profile/links.ts';
import type { Message } from '../protocol/messages.ts';
import { holderOf, ucpCartId } from './names.ts';
import { readNotes } from './notes.ts';
import type { Basket, Discounts, Item, LineItem, Total } from './schemas.ts';

/** What promotions deduct from a line, and which promotions apply. */
type LineShares = AgentLine['discounts'];
type Promotions = AgentCart['promotions'];

/** What identifies a line in a cart and in its order. */
interface LineKey {
  readonly productId: number;
  /** The chosen options as canonical JSON. */
  readonly options: string;
}

/** Returns the id of a line item. It depends on nothing but what is bought, so that an order's line keeps it. */
export const lineItemId = ({ productId, options }: LineKey): string =>
  `li_${sha256(`${productId}\n${options}`).slice(0, 16)}`;

/** A bought product, as carts and orders know it; the price in minor units. */
export interface BoughtItem {
  readonly productId: number;
  readonly variantId: number | null;
  readonly name: string;
  readonly unitPrice: number;
  readonly image?: string | null;
  /** The choices that its name doesn't tell. */
  readonly choices?: readonly string[];
}

/** Returns what a line item is called: the product's name with the choices that it doesn't tell. */
export const itemTitle = (name: string, choices: readonly string[]): string =>
  choices.length > 0 ? `${name} (${choices.join(', ')})` : name;

/** Returns the item of a line, under the id by which the catalogue sells it. */
export const itemOf = ({ productId, variantId, name, unitPrice, image, choices = [] }: BoughtItem): Item => ({
  id: variantItemId(variantId ?? productId),
  title: itemTitle(name, choices),
  price: unitPrice,
  ...(image && { image_url: image }),
});

/** Returns the totals of a line before tax: subtotal less discount. */
export function lineTotals(subtotal: number, discounts: LineShares): Total[] {
  const discount = discounts.reduce((sum, { amount }) => sum + amount, 0);
  return [
    { type: 'subtotal', amount: subtotal },
    ...(discount > 0 ? [{ type: 'items_discount' as const, amount: -discount }] : []),
    { type: 'total', amount: subtotal - discount },
  ];
}

const lineItemOf = (line: AgentLine): LineItem => ({
  id: lineItemId(line),
  item: itemOf({ ...line, choices: line.selected.map(({ value }) => value) }),
  quantity: line.quantity,
  totals: lineTotals(line.subtotal, line.discounts),
});

/** Amounts of a cart or order in minor units. */
export type Amounts = AgentCart['totals'];

/**
 * Returns totals whose entries sum to the grand total. Tax that prices include is therefore no entry of its own, but a
 * part of the total. Shipping has its price, from which a discount takes what is `waived`.
 */
export function totalsOf(
  { subtotal, discount, shipping, tax, grandTotal, taxIncluded }: Amounts,
  ships: boolean,
  waived = 0,
) {
  const included = [
    { display_text: 'Net', amount: grandTotal - tax },
    { display_text: 'Included tax', amount: tax },
  ];
  const totals: Total[] = [
    { type: 'subtotal', display_text: 'Subtotal', amount: subtotal },
    ...(discount > 0
      ? [{ type: 'items_discount' as const, display_text: 'Discount', amount: -discount }]
      : []),
    ...(waived > 0 ? [{ type: 'discount' as const, display_text: 'Free shipping', amount: -waived }] : []),
    ...(ships || shipping > 0
      ? [{ type: 'fulfillment' as const, display_text: 'Shipping', amount: shipping + waived }]
      : []),
    ...(taxIncluded ? [] : [{ type: 'tax' as const, display_text: 'Tax', amount: tax }]),
    {
      type: 'total',
      display_text: 'Total',
      amount: grandTotal,
      ...(taxIncluded && tax > 0 && { lines: included }),
    },
  ];
  return totals;
}

/** What promotions deduct: from the lines, and from the shipping. */
interface Deductions extends Pick<AgentCart, 'waivedBy'> {
  readonly promotions: Promotions;
  readonly lines: readonly { readonly discounts: LineShares }[];
  readonly waived: number;
}

/**
 * Returns the codes as they were submitted, and what each promotion deducts: from which line, or without allocations
 * from the shipping. One that deducts nothing is left out, because amounts are positive.
 */
export function discountsOf(
  codes: readonly SubmittedCode[],
  { promotions, lines, waived, waivedBy }: Deductions,
): Discounts {
  const allocationsOf = (id: number) =>
    lines.flatMap(({ discounts }, place) =>
      discounts
        .filter(({ promotionId }) => promotionId === id)
        .map((share) => ({ path: `$.line_items[${place}]`, amount: share.amount })),
    );
  // A promotion on goods that are free deducts nothing either. A stored reply of an earlier version has no waivedBy.
  const free = promotions.find(({ id, amount }) => amount === 0 && id === (waivedBy ?? id));
  const effective = promotions.filter(({ amount }) => amount > 0);
  return {
    ...(codes.length > 0 && { codes: codes.map(({ code }) => code) }),
    applied: [...effective, ...(free && waived > 0 ? [free] : [])].map(({ id, name, code, amount }, n) => ({
      ...(code !== null && { code }),
      title: name,
      amount: amount || waived,
      automatic: code === null,
      priority: n + 1,
      ...(amount > 0 && { allocations: allocationsOf(id) }),
    })),
  };
}

/** The protocol's code and the words for each reason why a discount code was refused. */
const REFUSALS: Readonly<Record<string, readonly [code: string, text: string]>> = {
  coupon_not_found: ['discount_code_invalid', 'is not a code of this shop'],
  ended: ['discount_code_expired', 'has expired'],
  not_started: ['discount_code_invalid', 'is not valid yet'],
  already_applied: ['discount_code_already_applied', 'is already applied'],
  too_many_codes: ['discount_code_combination_disallowed', 'exceeds the number of codes that combine'],
  used_up: ['discount_code_expired', 'has been used up'],
  gone: ['discount_code_expired', 'is no longer valid'],
  replaced: ['discount_code_combination_disallowed', 'does not combine with another code'],
  used_up_by_customer: ['discount_code_user_ineligible', 'has been used up'],
  not_first_order: ['discount_code_user_ineligible', 'is for a first order only'],
  rate_limited: ['discount_code_invalid', 'was not checked after too many wrong codes; try again later'],
};

/**
 * Returns why submitted codes deduct nothing: refused ones as warnings, because the buyer should see them. Codes are
 * compared without case and accents, as they are looked up.
 */
function codeMessages({ codes }: CartAgent, promotions: Promotions, { applied }: Discounts): Message[] {
  const active = new Set(promotions.map(({ code }) => fold(code ?? '')));
  const effective = new Set(applied.map(({ code }) => fold(code ?? '')));
  return codes.flatMap(({ code, refusal }, n): Message[] => {
    const given = fold(code.trim());
    if (refusal === null && effective.has(given)) return [];
    const isVoid = refusal === 'nothing_to_reduce' || (refusal === null && active.has(given));
    if (isVoid || (refusal === null && promotions.length === 0)) {
      const what = isVoid ? 'there is nothing that it reduces' : 'the total is not lower with it';
      const content = `Code '${code}' is valid, but ${what}.`;
      return [
        { type: 'info', code: 'discount_code_without_effect', path: `$.discounts.codes[${n}]`, content },
      ];
    }
    const [name, text] =
      refusal === null
        ? ['discount_code_combination_disallowed', 'does not combine with the discounts that apply']
        : (REFUSALS[refusal] ?? ['discount_code_invalid', 'does not meet its conditions in this cart']);
    const path = `$.discounts.codes[${n}]`;
    return [{ type: 'warning', code: name, path, content: `Code '${code}' ${text}.` }];
  });
}

/** Returns what keeps lines from being bought. */
export const lineMessages = ({ lines }: AgentCart): Message[] =>
  lines.flatMap(({ warning }, n): Message[] =>
    warning
      ? [
          {
            type: 'error',
            code: 'out_of_stock',
            severity: 'recoverable',
            path: `$.line_items[${n}]`,
            content: warning.message,
          },
        ]
      : [],
  );

/** Returns what carts and checkouts have in common; `id` and further messages are the caller's. */
export function presentBasket(
  ctx: UcpContext,
  { cart, cartId }: FoundAgentCart,
  { id, messages }: { readonly id: string; readonly messages: readonly Message[] },
): Basket {
  const { agent, lines, promotions, shippingWaived: waived, waivedBy } = cart;
  const buyer = buyerOf(cart);
  const discounts = ctx.negotiated.has('dev.ucp.shopping.discount')
    ? discountsOf(agent.codes, { promotions, lines, waived, waivedBy })
    : null;
  const all = [...messages, ...(discounts ? codeMessages(agent, promotions, discounts) : [])];
  return {
    id,
    line_items: lines.map(lineItemOf),
    ...(buyer && { buyer }),
    currency: cart.currency,
    totals: totalsOf(
      cart.totals,
      lines.some(({ ships }) => ships),
      waived,
    ),
    ...(discounts && { discounts }),
    ...(all.length > 0 && { messages: all }),
    links: policyLinks(ctx.tenant),
    // The link opens nothing until the cart has another checkout.
    ...(!isCancelled(agent) && { continue_url: continueUrl(ctx, ctx.origin, cartId) }),
    expires_at: iso(cart.expiresAt),
  };
}

/** Returns the buyer as the agent named them; null if it didn't. */
function buyerOf({ agent, email }: AgentCart): Basket['buyer'] | null {
  const { phone, ...names } = agent.buyer;
  const buyer = { ...names, ...(email !== null && { email }), ...(phone && { phone_number: phone }) };
  return Object.values(buyer).some((value) => value !== undefined) ? buyer : null;
}

/** Returns a cart as the protocol shows it. */
export const presentCart = (ctx: UcpContext, found: FoundAgentCart): Basket =>
  presentBasket(ctx, found, {
    id: ucpCartId(holderOf(ctx), { cartId: found.cartId, keyVersion: found.cart.keyVersion }),
    messages: [...readNotes(found.cart.agent.notes).messages, ...lineMessages(found.cart)],
  });
