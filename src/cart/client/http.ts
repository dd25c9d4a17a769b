import { fail } from '../../kernel/core/result.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { etagMatches } from '../../kernel/data/cached-body.ts';
import { requestedVersion } from '../../kernel/data/versioned-cache.ts';
import type { Call, Reply } from '../../kernel/http/context.ts';
import { REPLAYED } from '../../kernel/http/idempotency.ts';
import { respond, setHeaders } from '../../kernel/http/response.ts';
import type { RefusedReply, ShownReply } from '../object/preconditions.ts';
import { lookUp } from './catalog-lookup.ts';
import { type CartCall, callCart, pricingContextAt, releaseReservation } from './rpc.ts';
import { cartIdFor, cartToken, newCartId, readCartToken } from './token.ts';

type Operation = CartCall<ShownReply>['run'];

/** The most carts that one idempotency key can have created, each at least a day after the last. */
const MAX_KEY_GENERATIONS = 100;

/** Runs an operation on an existing cart and responds with the cart. */
export async function onCart(
  call: Call,
  token: string,
  how: { readonly retryable: boolean },
  run: Operation,
): Promise<Reply<never>> {
  const cartId = readCartToken(call.env, call.caller.tenantId, token);
  if (!cartId) return fail('cart_not_found');
  const request = await cartRequestOf(call, token);
  // A retry of an edit whose response was lost would fail its own If-Match.
  const retryable = request.idempotency !== null || (how.retryable && request.ifMatch === null);
  const result = await callCart({ ...callTarget(call, request), cartId, request, retryable, run });
  return respondWithCart(call, result);
}

/**
 * Creates a cart and responds with it. With an Idempotency-Key the cart's id is derived from application,
 * path and key, so that a retry creates no second cart. A key is valid for 24 hours; reused later, it creates
 * a new cart.
 */
export async function onNewCart(call: Call, run: Operation, status: 200 | 201): Promise<Reply<never>> {
  const { c, env, caller } = call;
  const key = c.req.header('idempotency-key');
  const seed = `${caller.tenantId}:${caller.applicationId}:${c.req.path}:${key}`;
  for (let generation = 0; generation < MAX_KEY_GENERATIONS; generation++) {
    const cartId = key === undefined ? newCartId() : cartIdFor(env, `${seed}:${generation}`);
    const request = await cartRequestOf(call, cartToken(env, caller.tenantId, cartId));
    const result = await callCart({
      ...callTarget(call, request),
      cartId,
      request,
      retryable: key !== undefined,
      run,
    });
    if (result.reply !== 'keyExpired') return respondWithCart(call, result, status);
  }
  return fail('unavailable');
}

const NO_BYTES = new Uint8Array();

const callTarget = (call: Call, { context }: CartCall<unknown>['request']) => ({
  env: call.env,
  tenantId: call.caller.tenantId,
  fetchOffers: (needs: Parameters<typeof lookUp>[1]) => lookUp(call, needs, context.version),
});

/** Builds the Cart object's request from the HTTP request. */
async function cartRequestOf(call: Call, token: string): Promise<CartCall<unknown>['request']> {
  const { c, caller } = call;
  const key = c.req.method === 'POST' ? c.req.header('idempotency-key') : undefined;
  const customerId = call.customer?.customerId ?? null;
  return {
    token,
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
  { reply, cartId }: { readonly reply: ShownReply | RefusedReply | 'keyExpired'; readonly cartId: string },
  status: 200 | 201 = 200,
): Promise<Reply<never>> {
  if (reply === 'keyExpired') return fail('cart_not_found');
  const { c } = call;
  if (reply.replayed) setHeaders(c, REPLAYED);
  if (!reply.ok) return reply;
  await releaseReservation(call, cartId, reply.releases);
  const { body, etag } = reply.cart;
  const fields = {
    ETag: etag,
    Vary: 'Origin, X-Customer-Token',
  };
  const same = ['GET', 'HEAD'].includes(c.req.method) && etagMatches(c.req.header('if-none-match'), etag);
  if (same) return respond(c, null, { status: 304, headers: fields });
  return respond(c, body, { status, headers: { ...fields, 'Content-Type': 'application/json' } });
}
