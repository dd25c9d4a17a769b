import { z } from '@hono/zod-openapi';
import {
  createAgentCart,
  editAgentCart,
  type FoundAgentCart,
  keepAgentCart,
  readAgentCart,
} from '../../cart/index.ts';
import { cancelUnpaid, placeFreeOrder } from '../../checkout/index.ts';
import type { ErrorCode } from '../../kernel/core/errors.ts';
import { type Failed, fail, type Result } from '../../kernel/core/result.ts';
import { basketContents, contentsStep, currencyFor, firstSteps } from '../cart/contents.ts';
import { CHECKOUT_NOT_FOUND, type CheckoutName, holderOf, readUcpCheckoutId } from '../cart/names.ts';
import { readNotes } from '../cart/notes.ts';
import { requestOf } from '../cart/outcomes.ts';
import type { UcpContext } from '../context.ts';
import { followOrders } from '../events/follow-orders.ts';
import { operation } from '../protocol/operation.ts';
import { done, type UcpResult } from '../protocol/outcome.ts';
import { checkoutDelivery } from './delivery.ts';
import { fromCart } from './from-cart.ts';
import { NOT_MODIFIABLE, START, shownCheckout } from './outcomes.ts';
import { isFinal, presentCheckout } from './present.ts';
import { offerRefusal } from './requirements.ts';
import { Checkout, CheckoutComplete, CheckoutCreate, CheckoutInput } from './schemas.ts';

const shared = { capability: 'dev.ucp.shopping.checkout', identity: 'required', output: Checkout } as const;

const NOTHING_KNOWN = { destinations: [], destinationId: null };

const create = operation(
  {
    ...shared,
    name: 'create_checkout',
    method: 'post',
    path: '/checkout-sessions',
    created: true,
    summary: 'Start a checkout with line items or of a cart',
    argument: 'checkout',
    key: 'optional',
    input: CheckoutCreate,
  },
  async (ctx, { input }) => {
    const [started] = await Promise.all([start(ctx, input), followOrders(ctx)]);
    return started;
  },
);

/** Starts a checkout with line items, or of a cart. */
async function start(ctx: UcpContext, input: z.output<typeof CheckoutCreate>): Promise<UcpResult<Checkout>> {
  const { line_items = [], cart_id: cart } = input;
  if (cart !== undefined) return fromCart(ctx, cart, input);
  const currency = currencyFor(ctx, input.context);
  const delivery = checkoutDelivery(ctx, input, NOTHING_KNOWN);
  const basket = { ...input, line_items };
  const contents = await basketContents(ctx, basket, { currency, checkout: null, delivery });
  const steps = [...firstSteps(basket, contents), START];
  return shownCheckout(ctx, await createAgentCart(ctx, requestOf(ctx), { currency, steps }));
}

type CheckoutCall<Input> = (
  ctx: UcpContext,
  name: CheckoutName,
  input: Input,
) => Promise<UcpResult<Checkout>>;

/** Runs an operation on the checkout that the id names. */
const onCheckout =
  <Input>(action: CheckoutCall<Input>) =>
  async (ctx: UcpContext, { id, input }: { readonly id: string; readonly input: Input }) => {
    const name = readUcpCheckoutId(holderOf(ctx), id);
    return name === null ? CHECKOUT_NOT_FOUND : action(ctx, name, input);
  };

/** How a checkout is read: for a key, and whether the reply is kept for it. */
interface Reading {
  readonly once?: UcpContext['once'];
  readonly read?: typeof readAgentCart;
}

/** Reads a checkout's cart; `cart_not_found` if the cart was cancelled, has a later checkout, or has changed since. */
async function readCheckout(
  ctx: UcpContext,
  { cartId, checkout }: CheckoutName,
  { once = null, read = readAgentCart }: Reading = {},
): Promise<Result<FoundAgentCart>> {
  const found = await read(ctx, { ...requestOf(ctx), once }, cartId);
  if (!found.ok) return found;
  const { ended, checkouts, superseded } = found.value.cart.agent;
  return ended || superseded || checkouts !== checkout ? fail('cart_not_found') : found;
}

const get = operation(
  {
    ...shared,
    name: 'get_checkout',
    method: 'get',
    path: '/checkout-sessions/{id}',
    summary: 'Get a checkout at current prices',
    argument: null,
    key: 'none',
    input: z.object({}),
  },
  onCheckout(async (ctx, name) => shownCheckout(ctx, await readCheckout(ctx, name))),
);

const update = operation(
  {
    ...shared,
    name: 'update_checkout',
    method: 'put',
    path: '/checkout-sessions/{id}',
    summary: 'Replace what a checkout holds',
    argument: 'checkout',
    key: 'optional',
    input: CheckoutInput,
  },
  onCheckout(async (ctx, name, input: CheckoutInput) => {
    const [updated] = await Promise.all([replaceContents(ctx, name, input), followOrders(ctx)]);
    return updated;
  }),
);

/** Replaces what a checkout holds. */
async function replaceContents(
  ctx: UcpContext,
  name: CheckoutName,
  input: CheckoutInput,
): Promise<UcpResult<Checkout>> {
  const before = await readCheckout(ctx, name, { once: ctx.once });
  if (!before.ok || before.value.replayed) return shownCheckout(ctx, before);
  const { currency, agent } = before.value.cart;
  const delivery = checkoutDelivery(ctx, input, readNotes(agent.notes));
  const more = { currency, checkout: name.checkout, delivery };
  const { contents } = await basketContents(ctx, input, more);
  const target = { ...requestOf(ctx), cartId: name.cartId };
  return shownCheckout(ctx, await editAgentCart(ctx, target, [contentsStep(contents)]));
}

/** The key under which a request keeps that it began to place the order, so that its retry can tell. */
const beginning = ({ once }: UcpContext): UcpContext['once'] =>
  once && { ...once, key: `begun\n${once.key}` };

/** Returns whether an earlier attempt of this request began to place the order, and was interrupted. */
async function hasBegun(ctx: UcpContext, name: CheckoutName): Promise<boolean> {
  const begun = await readCheckout(ctx, name, { once: beginning(ctx) });
  return begun.ok && begun.value.replayed;
}

/** Failures that pass: no message of the checkout tells them, and an idempotency key must not keep what follows. */
const TRANSIENT: readonly ErrorCode[] = ['unavailable', 'rate_limited', 'internal_error'];

/** Failures that the checkout shows, unless it still seems ready: then a retry may pass, or an offer isn't for this buyer. */
const CONTENDED: readonly ErrorCode[] = [
  'cart_locked',
  'conflict',
  'session_not_found',
  'coupon_not_applicable',
  'price_changed',
];

/** Returns what is shown of a refused order without being kept for the key; null for the checkout as it is now. */
async function refusedOrder(
  ctx: UcpContext,
  name: CheckoutName,
  failed: Failed,
): Promise<UcpResult<Checkout> | null> {
  const { code } = failed.failure;
  if (TRANSIENT.includes(code)) return shownCheckout(ctx, failed);
  if (!CONTENDED.includes(code)) return null;
  const now = await readCheckout(ctx, name);
  if (!now.ok || (await presentCheckout(ctx, now.value)).status !== 'ready_for_complete') return null;
  const refusal = offerRefusal(now.value.cart, failed);
  return refusal
    ? done(await presentCheckout(ctx, now.value, [refusal]))
    : shownCheckout(ctx, fail('unavailable'));
}

const complete = operation(
  {
    ...shared,
    name: 'complete_checkout',
    method: 'post',
    path: '/checkout-sessions/{id}/complete',
    summary: 'Place the order, if nothing has to be paid',
    argument: 'checkout',
    key: 'required',
    input: CheckoutComplete,
  },
  onCheckout(async (ctx, name) => {
    const earlier = await readCheckout(ctx, name, { once: ctx.once });
    if (!earlier.ok || earlier.value.replayed) return shownCheckout(ctx, earlier);
    const before = await presentCheckout(ctx, earlier.value);
    if (isFinal(before) && !(before.status === 'completed' && (await hasBegun(ctx, name)))) {
      return NOT_MODIFIABLE;
    }
    if (before.status === 'ready_for_complete') {
      const begun = await readCheckout(ctx, name, { once: beginning(ctx), read: keepAgentCart });
      if (!begun.ok) return shownCheckout(ctx, begun);
      const { tenant, origin } = ctx;
      const placed = await placeFreeOrder(ctx, { tenant, cartId: name.cartId, origin });
      // What has changed since, such as the last unit or an offer, is in the checkout's messages.
      const refused = placed.ok ? null : await refusedOrder(ctx, name, placed);
      if (refused) return refused;
    }
    return shownCheckout(ctx, await readCheckout(ctx, name, { once: ctx.once, read: keepAgentCart }));
  }),
);

const cancel = operation(
  {
    ...shared,
    name: 'cancel_checkout',
    method: 'post',
    path: '/checkout-sessions/{id}/cancel',
    summary: 'Cancel a checkout',
    argument: null,
    key: 'required',
    input: z.object({}),
  },
  onCheckout(async (ctx, name) => {
    const { cartId, checkout } = name;
    const before = await readCheckout(ctx, name, { once: ctx.once });
    if (!before.ok || before.value.replayed) return shownCheckout(ctx, before);
    const { order } = before.value.cart;
    const refusal = order && (await endOrder(ctx, order.id));
    if (refusal) return refusal;
    const step = { op: 'agent_transition', transition: { to: 'cancel_checkout', checkout } } as const;
    return shownCheckout(ctx, await editAgentCart(ctx, { ...requestOf(ctx), cartId }, [step]));
  }),
);

/** Cancels the order of a checkout unless it is paid. Returns null, or why it is not cancelled. */
async function endOrder(ctx: UcpContext, orderId: string): Promise<UcpResult<Checkout> | null> {
  const order = await cancelUnpaid(ctx, ctx.tenant, orderId);
  if (!order.ok && TRANSIENT.includes(order.failure.code)) return shownCheckout(ctx, order);
  return order.ok && order.value.row.status === 'cancelled' ? null : NOT_MODIFIABLE;
}

/** The operations of checkouts. */
export const checkoutOperations = [create, get, update, complete, cancel];
