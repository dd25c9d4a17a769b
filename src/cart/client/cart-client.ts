import { etagMatches } from '../../kernel/cache/cached-body.ts';
import { cachedValue, requestedVersion } from '../../kernel/cache/versioned-cache.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { Call, CatalogReader, Reply } from '../../kernel/http/context.ts';
import { REPLAYED } from '../../kernel/http/idempotency.ts';
import { respond, setHeaders } from '../../kernel/http/response.ts';
import {
  type CartOperation,
  type CartReply,
  type CartRequest,
  type CartStep,
  type RefusedReply,
  type ReportKind,
  type ReportReply,
  type ShownReply,
  serializeSteps,
} from '../object/messages.ts';
import type { PricingContext } from '../object/state.ts';
import { type CartTarget, callCart } from './call-cart.ts';
import { type CartObject, cartIdFor, cartToken, newCartId, readCartToken } from './cart-id.ts';
import { readPricingContext, withCurrentOffers } from './catalog-lookup.ts';
import { releaseReservation } from './release.ts';

/** The most carts that one idempotency key can have created, each at least a day after the last. */
export const MAX_KEY_GENERATIONS = 100;

/** The edits that have the same effect when they are repeated. */
const REPEATABLE: ReadonlySet<CartStep['op']> = new Set([
  'set',
  'address',
  'shipping_method',
  'metadata',
  'remove_coupon',
  'agent_contents',
  'agent_delivery',
]);

/** Returns whether an operation has the same effect when it is repeated. */
export const isRepeatable = (operation: CartOperation): boolean =>
  operation.name === 'read' ||
  (operation.name === 'edit' &&
    operation.edits.steps.every((step) =>
      step.op === 'coupon' ? step.found === null : REPEATABLE.has(step.op),
    ));

/** Returns the operation of a request with one edit. */
export const single = (step: CartStep): Extract<CartOperation, { name: 'edit' }> => ({
  name: 'edit',
  edits: { steps: [step], field: null },
});

/** Runs an operation on an existing cart and responds with the cart. */
export async function onCart(call: Call, token: string, operation: CartOperation): Promise<Reply<never>> {
  const cartId = readCartToken(call.env, call.tenantId, token);
  if (!cartId) return fail('cart_not_found');
  const request = await cartRequestOf(call, token);
  // A retry of an edit whose response was lost would fail its own If-Match.
  const retryable = request.idempotency !== null || (isRepeatable(operation) && request.ifMatch === null);
  const result = await runOperation(call, { cartId, request, retryable }, operation);
  return respondWithCart(call, result, 200);
}

/**
 * Creates a cart and responds with it. With an Idempotency-Key the cart's id is derived from application,
 * path and key, so that a retry creates no second cart. A key is valid for 24 hours; reused later, it creates
 * a new cart.
 */
export async function onNewCart(
  call: Call,
  operation: CartOperation,
  status: 200 | 201,
): Promise<Reply<never>> {
  const { c, env, caller } = call;
  const key = c.req.header('idempotency-key');
  const seed = `${caller.tenantId}:${caller.applicationId}:${c.req.path}:${key}`;
  for (let generation = 0; generation < MAX_KEY_GENERATIONS; generation++) {
    const cartId = key === undefined ? newCartId() : cartIdFor(env, `${seed}:${generation}`);
    const request = await cartRequestOf(call, cartToken(env, caller.tenantId, cartId));
    const target = { cartId, request, retryable: key !== undefined };
    const result = await runOperation(call, target, operation);
    if (!result.keyExpired) return respondWithCart(call, result, status);
  }
  return fail('unavailable');
}

/** Runs an operation on a cart, which is shown then, as {@link callCart} does. */
export const runOperation = (
  ctx: TenantContext & CatalogReader,
  target: CartTarget,
  operation: CartOperation,
) =>
  callCart<ShownReply>(ctx, target, async (cart, request) =>
    callMethod(cart, request, request.stockIsCurrent ? await withCurrentOffers(ctx, operation) : operation),
  );

/** Calls the method of a Cart object for an operation. */
function callMethod(cart: CartObject, request: CartRequest, operation: CartOperation): Promise<CartReply> {
  switch (operation.name) {
    case 'read':
      return cart.read(request, operation.keep);
    case 'create':
      return cart.create(request, operation.currency, serializeSteps(operation.edits));
    case 'edit':
      return cart.edit(request, serializeSteps(operation.edits));
  }
}

/** Reads the history of a cart, how its totals come about, or its shipping methods. */
export async function reportOn<Report>(call: Call, token: string, kind: ReportKind): Promise<Result<Report>> {
  const cartId = readCartToken(call.env, call.tenantId, token);
  if (!cartId) return fail('cart_not_found');
  const target = { cartId, request: await cartRequestOf(call, token), retryable: true };
  const { reply } = await callCart<Extract<ReportReply, { readonly ok: true }>>(
    call,
    target,
    (cart, current) => cart.report(current, kind),
  );
  // Written by CartAggregate.report().
  return reply.ok ? ok(JSON.parse(reply.report) as Report) : reply;
}

const NO_BYTES = new Uint8Array();

/** Builds the Cart object's request from the HTTP request. */
async function cartRequestOf(call: Call, token: string): Promise<CartTarget['request']> {
  const { c, caller } = call;
  const key = c.req.method === 'POST' ? c.req.header('idempotency-key') : undefined;
  const customerId = call.customer?.customerId ?? null;
  return {
    token,
    applicationId: caller.applicationId,
    context: await pricingContextAt(call, requestedVersion(call)),
    customerId,
    ifMatch: c.req.header('if-match') ?? null,
    idempotency:
      key === undefined
        ? null
        : {
            key: sha256(`${caller.applicationId}\n${c.req.method}\n${c.req.path}\n${key}`),
            fingerprint: sha256(
              Buffer.concat([Buffer.from(`${customerId}\n`), c.get('bodyBytes') ?? NO_BYTES]),
            ),
          },
  };
}

/** Responds with the cart, after releasing the reservation that an edit invalidated. */
async function respondWithCart(
  call: Call,
  { reply, cartId }: { readonly reply: ShownReply | RefusedReply; readonly cartId: string },
  status: 200 | 201,
): Promise<Reply<never>> {
  const { c } = call;
  if (reply.replayed) setHeaders(c, REPLAYED);
  if (!reply.ok) return reply;
  if (reply.releases !== undefined) await releaseReservation(call, cartId, reply.releases);
  const { body, etag } = reply.cart;
  const fields = { ETag: etag, Vary: 'Origin, X-Customer-Token' };
  const isSame = ['GET', 'HEAD'].includes(c.req.method) && etagMatches(c.req.header('if-none-match'), etag);
  if (isSame) return respond(c, null, { status: 304, headers: fields });
  const location = status === 201 && {
    Location: `/v1/cart/${cartToken(call.env, call.tenantId, cartId)}`,
  };
  return respond(c, body, {
    status,
    headers: { ...fields, ...location, 'Content-Type': 'application/json' },
  });
}

/**
 * Returns the tenant's pricing settings and automatic promotions at this catalogue version or a newer one, through
 * the cache.
 */
export async function pricingContextAt(call: CatalogReader, version: number): Promise<PricingContext> {
  const found = await cachedValue<Omit<PricingContext, 'version'>>(
    call,
    {
      key: '/pricing.json',
      fill: async (from) => {
        const { version: read, ...context } = await readPricingContext(from);
        return { version: read, answer: ok(context) };
      },
    },
    version,
  );
  if (!found.ok) throw new Error('The pricing settings of a tenant are missing');
  return { version: found.value.version, ...found.value.value };
}
