import { type AgentContents, type ResolvedAddition, resolveProducts } from '../../cart/index.ts';
import type { Failure } from '../../kernel/core/errors.ts';
import { storefrontUrl } from '../../tenants/index.ts';
import { readItemId } from '../catalog/item-id.ts';
import type { UcpContext } from '../context.ts';
import { productUrl } from '../profile/links.ts';
import type { Message } from '../protocol/messages.ts';
import { withinLineLimits } from './line-limits.ts';
import { repeated } from './notes.ts';
import type { LineItemInput } from './schemas.ts';

/** The offers that line items name, and a message for each that can't be added as it was asked for. */
export interface ResolvedItems extends Pick<AgentContents, 'version' | 'wanted'> {
  readonly messages: readonly Message[];
  /** Where the buyer can choose what an item needs, if that is why none could be added. */
  readonly continueUrl: string | undefined;
}

/** Where the messages of items point to: those that are not added have no place of their own in a response. */
const PATH = '$.line_items';

/**
 * Resolves line items by product or variant to offers in a currency. An item that doesn't exist, or isn't sold in
 * the currency, gets an error that another request can mend. One that needs choices which the protocol can't carry,
 * such as the parts of a bundle, gets a warning with the address of its page. More of an offer than a line holds, in
 * one line item or in several, is reduced with a warning.
 */
export async function resolveItems(
  ctx: UcpContext,
  items: readonly LineItemInput[],
  currency: string,
): Promise<ResolvedItems> {
  const named = items.map(({ item, quantity }) => ({ quantity, name: readItemId(item.id) }));
  const resolved = await resolveProducts(
    ctx,
    named.map(({ quantity, name }) => ({
      quantity,
      ...(name?.kind === 'product' ? { product_id: name.id } : { item_id: name?.id ?? 0 }),
    })),
    ctx.caller.catalogVersion,
  );
  const problems = resolved.map((one, n) => problemOf(ctx, one, { id: items[n]?.item.id ?? '', currency }));
  const added = resolved.flatMap(({ addition }, n) => (addition.ok && !problems[n] ? addition.value : []));
  const limited = withinLineLimits(
    added.flatMap(({ wanted }) => wanted),
    currency,
  );
  const messages = [...problems.flatMap((problem) => problem ?? []), ...limited.messages];
  const pages = messages.flatMap((message) => (message.type === 'warning' ? (message.url ?? []) : []));
  return {
    version: Math.min(ctx.caller.catalogVersion, ...added.map(({ version }) => version)),
    wanted: limited.wanted,
    messages,
    continueUrl: pages[0],
  };
}

interface RequestedItem {
  /** The id that the agent named. */
  readonly id: string;
  readonly currency: string;
}

/** Returns why an item can't be added, or null. */
function problemOf(
  ctx: UcpContext,
  { product, addition }: ResolvedAddition,
  { id, currency }: RequestedItem,
): Message | null {
  if (addition.ok) {
    const unpriced = addition.value.wanted.find(({ offer }) => offer.prices[currency] === undefined);
    return unpriced ? unavailable(`${unpriced.offer.name} is not sold in ${currency}.`) : null;
  }
  if (!product || addition.failure.code !== 'validation_error') {
    return unavailable(`The item ${repeated(id)} was not found, or is not on sale.`);
  }
  const choices = choicesOf(addition.failure);
  if (product.type === 'configurable') {
    return {
      type: 'error',
      code: 'variant_required',
      severity: 'recoverable',
      path: PATH,
      content: `${product.name} needs a variant: use the id of one of the product's variants.`,
    };
  }
  const { tenant } = ctx;
  const url = productUrl(tenant, { id: product.id, slug: product.slug }) ?? storefrontUrl(tenant.settings);
  return {
    type: 'warning',
    code: 'options_required',
    path: PATH,
    content: `${product.name} is not in the cart: it needs choices that are made on its page. ${choices}`,
    ...(url !== undefined && { url }),
  };
}

const unavailable = (content: string): Message => ({
  type: 'error',
  code: 'item_unavailable',
  severity: 'recoverable',
  path: PATH,
  content,
});

/** Returns the choices that an item lacks, as the catalogue names them. */
const choicesOf = ({ errors = {} }: Failure): string => {
  const [first] = Object.entries(errors);
  return first ? `${first[0].replace(/^options\./, '')} ${first[1][0]}.` : '';
};
