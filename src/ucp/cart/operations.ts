import { z } from '@hono/zod-openapi';
import { createAgentCart, editAgentCart, type FoundAgentCart, readAgentCart } from '../../cart/index.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { UcpContext } from '../context.ts';
import { operation } from '../protocol/operation.ts';
import { done, type UcpResult } from '../protocol/outcome.ts';
import { basketContents, cartDelivery, contentsStep, currencyFor, firstSteps } from './contents.ts';
import { CART_NOT_FOUND, holderOf, readUcpCartId } from './names.ts';
import { cartFailure, requestOf } from './outcomes.ts';
import { presentCart } from './present.ts';
import { Basket, CartInput } from './schemas.ts';

const shared = { capability: 'dev.ucp.shopping.cart', identity: 'required', output: Basket } as const;

/** Returns a cart, unless it was cancelled or has been paid for. */
function shown(ctx: UcpContext, found: Result<FoundAgentCart>): UcpResult<Basket> {
  if (!found.ok) return cartFailure(found);
  const { agent, order } = found.value.cart;
  return agent.ended || order?.state === 'paid' ? CART_NOT_FOUND : done(presentCart(ctx, found.value));
}

/** Makes edits of a cart; `cart_not_found` if it has been paid for, as reading it is. */
async function edit(
  ctx: UcpContext,
  cartId: string,
  steps: Parameters<typeof editAgentCart>[2],
): Promise<Result<FoundAgentCart>> {
  const edited = await editAgentCart(ctx, { ...requestOf(ctx), cartId }, steps);
  if (edited.ok || edited.failure.code !== 'cart_locked') return edited;
  const found = await readAgentCart(ctx, { ...requestOf(ctx), once: null }, cartId);
  return found.ok && found.value.cart.order?.state === 'paid' ? fail('cart_not_found') : edited;
}

const create = operation(
  {
    ...shared,
    name: 'create_cart',
    method: 'post',
    path: '/carts',
    created: true,
    summary: 'Create a cart with line items',
    argument: 'cart',
    key: 'optional',
    input: CartInput,
  },
  async (ctx, { input }) => {
    const currency = currencyFor(ctx, input.context);
    const delivery = cartDelivery(input.context);
    const basket = await basketContents(ctx, input, { currency, checkout: null, delivery });
    const steps = firstSteps(input, basket);
    return shown(ctx, await createAgentCart(ctx, requestOf(ctx), { currency, steps }));
  },
);

/** Runs an operation on the cart that the id names. */
const onCart =
  <Input>(action: (ctx: UcpContext, cartId: string, input: Input) => Promise<UcpResult<Basket>>) =>
  async (ctx: UcpContext, { id, input }: { readonly id: string; readonly input: Input }) => {
    const cartId = readUcpCartId(holderOf(ctx), id);
    return cartId === null ? CART_NOT_FOUND : action(ctx, cartId, input);
  };

const get = operation(
  {
    ...shared,
    name: 'get_cart',
    method: 'get',
    path: '/carts/{id}',
    summary: 'Get a cart at current prices',
    argument: null,
    key: 'none',
    input: z.object({}),
  },
  onCart(async (ctx, cartId) => shown(ctx, await readAgentCart(ctx, requestOf(ctx), cartId))),
);

/** Returns the currency of a cart, which may be one that the shop no longer sells in. */
async function currencyOf(ctx: UcpContext, cartId: string): Promise<Result<string>> {
  const found = await readAgentCart(ctx, { ...requestOf(ctx), once: null }, cartId);
  return found.ok ? ok(found.value.cart.currency) : found;
}

const update = operation(
  {
    ...shared,
    name: 'update_cart',
    method: 'put',
    path: '/carts/{id}',
    summary: 'Replace what a cart holds',
    argument: 'cart',
    key: 'optional',
    input: CartInput,
  },
  onCart(async (ctx, cartId, input: CartInput) => {
    const currency = await currencyOf(ctx, cartId);
    if (!currency.ok) return cartFailure(currency);
    const delivery = cartDelivery(input.context);
    const more = { currency: currency.value, checkout: null, delivery };
    const { contents } = await basketContents(ctx, input, more);
    return shown(ctx, await edit(ctx, cartId, [contentsStep(contents)]));
  }),
);

const cancel = operation(
  {
    ...shared,
    name: 'cancel_cart',
    method: 'post',
    path: '/carts/{id}/cancel',
    summary: 'Cancel a cart',
    argument: null,
    key: 'required',
    input: z.object({}),
  },
  onCart(async (ctx, cartId) => {
    const transition = { to: 'cancel_cart' } as const;
    const cancelled = await edit(ctx, cartId, [{ op: 'agent_transition', transition }]);
    return cancelled.ok ? done(presentCart(ctx, cancelled.value)) : cartFailure(cancelled);
  }),
);

/** The operations of carts. */
export const cartOperations = [create, get, update, cancel];
