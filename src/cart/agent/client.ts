import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import type { CartTarget } from '../client/call-cart.ts';
import { isRepeatable, MAX_KEY_GENERATIONS, pricingContextAt, runOperation } from '../client/cart-client.ts';
import { cartIdFor, cartToken, newCartId } from '../client/cart-id.ts';
import { releaseReservation } from '../client/release.ts';
import type { CartOperation, CartStep } from '../object/messages.ts';
import type { AgentCart } from './agent-cart.ts';

/** A tenant, and for whom its catalogue is read. */
type AgentCartContext = TenantContext & CatalogReader;

/** A request of an agent. */
export interface AgentRequest {
  /** The URI of the agent's profile. */
  readonly profile: string;
  /** The idempotency key with a digest of what is asked under it; null without one. */
  readonly once: { readonly key: string; readonly digest: string } | null;
}

/** An agent's cart, with its id. */
export interface FoundAgentCart {
  readonly cartId: string;
  readonly cart: AgentCart;
  /** Whether it is the reply that was stored for the idempotency key. */
  readonly replayed: boolean;
}

/** A new cart: its currency, and the edits that fill it. */
interface NewAgentCart {
  readonly currency: string;
  readonly steps: readonly CartStep[];
}

/**
 * Creates a cart that only this agent can use. With a key the cart's id is derived from agent and key, so that a
 * retry within 24 hours gets the same reply and creates no second cart.
 */
export async function createAgentCart(
  ctx: AgentCartContext,
  request: AgentRequest,
  { currency, steps }: NewAgentCart,
): Promise<Result<FoundAgentCart>> {
  const { env, tenantId } = ctx;
  const { profile, once } = request;
  const operation: CartOperation = { name: 'create', currency, edits: { steps, field: null } };
  for (let generation = 0; generation < MAX_KEY_GENERATIONS; generation++) {
    const seed = `${tenantId}:agent:${profile}\n${once?.key}\n${generation}`;
    const cartId = once ? cartIdFor(env, seed) : newCartId();
    const called = await callAgentCart(ctx, { request, cartId }, operation);
    if (!called.keyExpired) return foundIn(ctx, called);
  }
  return fail('unavailable');
}

/** Returns an agent's cart at current prices; `cart_not_found` if another one holds it, `cart_expired`. */
export const readAgentCart = (
  ctx: AgentCartContext,
  request: AgentRequest,
  cartId: string,
): Promise<Result<FoundAgentCart>> => existing(ctx, { request, cartId }, { name: 'read' });

/** Reads a cart as {@link readAgentCart} does, and stores the reply for the idempotency key: a retry gets the same. */
export const keepAgentCart = (
  ctx: AgentCartContext,
  request: AgentRequest,
  cartId: string,
): Promise<Result<FoundAgentCart>> => existing(ctx, { request, cartId }, { name: 'read', keep: true });

/** Makes edits of an agent's cart, all or none, once for each key; `cart_locked` while it has an order. */
export const editAgentCart = (
  ctx: AgentCartContext,
  { cartId, ...request }: AgentRequest & { readonly cartId: string },
  steps: readonly CartStep[],
): Promise<Result<FoundAgentCart>> =>
  existing(ctx, { request, cartId }, { name: 'edit', edits: { steps, field: null } });

interface AgentTarget {
  readonly request: AgentRequest;
  readonly cartId: string;
}

const existing = async (ctx: AgentCartContext, target: AgentTarget, operation: CartOperation) =>
  foundIn(ctx, await callAgentCart(ctx, target, operation));

async function callAgentCart(
  ctx: AgentCartContext,
  { request: { profile, once }, cartId }: AgentTarget,
  operation: CartOperation,
) {
  const { env, tenantId, caller } = ctx;
  const request: CartTarget['request'] = {
    token: cartToken(env, tenantId, cartId),
    applicationId: caller.applicationId,
    context: await pricingContextAt(ctx, caller.catalogVersion),
    customerId: null,
    agent: profile,
    ifMatch: null,
    idempotency: once && { key: sha256(`agent\n${profile}\n${once.key}`), fingerprint: once.digest },
  };
  const retryable = once !== null || isRepeatable(operation);
  return runOperation(ctx, { cartId, request, retryable }, operation);
}

async function foundIn(
  ctx: TenantContext,
  { reply, cartId }: Awaited<ReturnType<typeof callAgentCart>>,
): Promise<Result<FoundAgentCart>> {
  if (!reply.ok) return reply;
  if (reply.releases !== undefined) await releaseReservation(ctx, cartId, reply.releases);
  // Rendered by presentAgentCart(); null for a cart without an agent, which the object refuses before.
  const cart = JSON.parse(reply.cart.body) as AgentCart;
  return ok({ cartId, cart, replayed: reply.replayed === true });
}
