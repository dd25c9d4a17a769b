import { type AgentContents, findCartCode } from '../../cart/index.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import { EMAIL_ADDRESS, withAsciiDomain } from '../../kernel/text/email.ts';
import type { PostalAddress } from '../../kernel/values/postal-address.ts';
import type { UcpContext } from '../context.ts';
import { siteOf } from '../platforms/site.ts';
import type { Message } from '../protocol/messages.ts';
import { countryCode } from './countries.ts';
import { type Notes, repeated, writeNotes } from './notes.ts';
import { type ResolvedItems, resolveItems } from './resolve-items.ts';
import type { BuyerInput, ContextInput, LineItemInput } from './schemas.ts';

/** What an agent sends to fill a cart or checkout. */
export interface BasketInput {
  readonly line_items: readonly LineItemInput[];
  readonly buyer?: BuyerInput | undefined;
  readonly context?: ContextInput | undefined;
  readonly discounts?: { readonly codes?: readonly string[] | undefined } | undefined;
}

/** Where a checkout's goods go; a cart has only the country that its context names. */
export interface BasketDelivery extends Pick<AgentContents, 'address' | 'shippingMethod'> {
  readonly notes: Omit<Notes, 'messages'>;
  readonly messages: readonly Message[];
}

/** The items to put into a cart, and those of them that the catalogue has. */
export interface BasketContents {
  readonly contents: AgentContents;
  readonly items: ResolvedItems;
}

/**
 * Returns what a request puts into a cart of a currency. What can't be used is left out, with a message that the cart
 * keeps until the next request.
 */
export async function basketContents(
  ctx: UcpContext,
  input: BasketInput,
  more: { readonly currency: string; readonly checkout: number | null; readonly delivery: BasketDelivery },
): Promise<BasketContents> {
  const { currency, checkout, delivery } = more;
  const codes = ctx.negotiated.has('dev.ucp.shopping.discount') ? (input.discounts?.codes ?? []) : [];
  const [items, found] = await Promise.all([
    resolveItems(ctx, input.line_items, currency),
    findCodes(ctx, codes),
  ]);
  const { first_name, last_name, phone_number: phone } = input.buyer ?? {};
  const email = input.buyer?.email && withAsciiDomain(input.buyer.email);
  const isEmail = email === undefined || EMAIL_ADDRESS.test(email);
  const messages = [
    ...items.messages,
    ...(isEmail ? [] : [INVALID_EMAIL]),
    ...delivery.messages,
    ...claimMessages(input.context?.eligibility ?? []),
  ];
  const contents = {
    profile: ctx.agent.profile,
    checkout,
    version: items.version,
    wanted: items.wanted,
    codes: found,
    address: delivery.address,
    shippingMethod: delivery.shippingMethod,
    email: isEmail ? (email ?? null) : null,
    buyer: { first_name, last_name, phone },
    notes: writeNotes({ ...delivery.notes, messages }),
  };
  return { contents, items };
}

const INVALID_EMAIL: Message = {
  type: 'error',
  code: 'invalid_email',
  severity: 'recoverable',
  path: '$.buyer.email',
  content: 'The e-mail address is not valid.',
};

/** Looks codes up one after the other, so that guesses are counted before the next one. */
async function findCodes(ctx: UcpContext, codes: readonly string[]): Promise<AgentContents['codes']> {
  const found: { code: string; found: Awaited<ReturnType<typeof findCartCode>> }[] = [];
  for (const code of codes) {
    const entered = { code: code.trim(), customerId: null, address: guesserOf(ctx) };
    found.push({
      code,
      found: entered.code === '' ? fail('coupon_not_found') : await findCartCode(ctx, entered),
    });
  }
  return found;
}

/**
 * Returns whom wrong codes are counted for: an application, or the domain of a platform, since hosts and profiles below
 * it cost its owner nothing.
 */
const guesserOf = ({ agent: { identity, profile } }: UcpContext): string =>
  identity?.kind === 'application' ? `application:${identity.applicationId}` : `site:${siteOf(profile)}`;

/** The most claims that are named in warnings. */
const MAX_CLAIM_WARNINGS = 10;

/** This shop has no benefits that a buyer could claim: a claim has no effect, and a warning says so. */
const claimMessages = (claims: readonly string[]): Message[] =>
  claims.slice(0, MAX_CLAIM_WARNINGS).map((claim, n) => ({
    type: 'warning',
    code: 'eligibility_not_accepted',
    path: `$.context.eligibility[${n}]`,
    content: `The shop does not know the benefit ${repeated(claim)}.`,
  }));

/** Returns the address that a request's context gives: provisional, for taxes and shipping; null without a country. */
export function contextAddress(context: ContextInput | undefined): PostalAddress | null {
  const country = countryCode(context?.address_country);
  if (country === null) return null;
  const { address_region: region, postal_code } = context ?? {};
  return {
    country,
    ...(region !== undefined && { region }),
    ...(postal_code !== undefined && { postal_code }),
  };
}

/** Returns the currency of a new cart: the one that the context asks for, if the shop sells in it. */
export const currencyFor = ({ tenant }: UcpContext, context: ContextInput | undefined): string => {
  const wanted = context?.currency?.toUpperCase();
  return wanted !== undefined && tenant.currencies.includes(wanted) ? wanted : tenant.currency;
};

/** Returns the delivery of a cart, which has no destinations. */
export const cartDelivery = (context: ContextInput | undefined): BasketDelivery => ({
  address: contextAddress(context),
  shippingMethod: null,
  notes: { destinations: [], destinationId: null, consent: null },
  messages: [],
});

/** Returns the edit that puts contents into a cart. */
export const contentsStep = (contents: AgentContents) =>
  ({ op: 'agent_contents', contents: ok(contents) }) as const;

/**
 * Returns the edits of a new cart. If none of the items that were asked for can be sold, they fail with `cart_empty`,
 * which the cart's object keeps for the idempotency key.
 */
export function firstSteps(input: BasketInput, { contents, items }: BasketContents) {
  const { wanted, messages, continueUrl } = items;
  if (input.line_items.length === 0 || wanted.length > 0) return [contentsStep(contents)];
  const message = messages.map(({ content }) => content).join(' ');
  const refusal = fail('cart_empty', { message, details: { continueUrl } });
  return [{ op: 'agent_contents', contents: refusal } as const];
}
