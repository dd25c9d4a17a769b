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

type Ask = CartCall<ShownReply>['ask'];

/** How many carts one key may have made that are still remembered, each a day or more after the last. */
const GENERATIONS = 100;

/** Asks an existing cart on behalf of a request, and answers what it shows. */
export async function onCart(
  call: Call,
  token: string,
  how: { readonly safe: boolean },
  run: Ask,
): Promise<Reply<never>> {
  const cartId = readCartToken(call.env, call.caller.tenantId, token);
  if (!cartId) return fail('cart_not_found');
  const visit = await visitOf(call, token);
  // A change that was made, but whose answer was lost, would fail its own condition.
  const safe = visit.once !== null || (how.safe && visit.ifMatch === null);
  const asked = await callCart({ ...whom(call, visit), cartId, visit, safe, ask: run });
  return shown(call, asked);
}

/**
 * Makes a cart on behalf of a request. With an Idempotency-Key the cart follows from application and key,
 * so that a retry makes no second one; a key that was used a day ago or longer means a new cart.
 */
export async function onNewCart(call: Call, run: Ask, status: 200 | 201): Promise<Reply<never>> {
  const { c, env, caller } = call;
  const key = c.req.header('idempotency-key');
  const seed = `${caller.tenantId}:${caller.applicationId}:${c.req.path}:${key}`;
  for (let generation = 0; generation < GENERATIONS; generation++) {
    const cartId = key === undefined ? newCartId() : cartIdFor(env, `${seed}:${generation}`);
    const visit = await visitOf(call, cartToken(env, caller.tenantId, cartId));
    const asked = await callCart({ ...whom(call, visit), cartId, visit, safe: key !== undefined, ask: run });
    if (asked.reply !== 'spent') return shown(call, asked, status);
  }
  return fail('unavailable');
}

const NO_BYTES = new Uint8Array();

const whom = (call: Call, { shop }: CartCall<unknown>['visit']) => ({
  env: call.env,
  tenantId: call.caller.tenantId,
  tell: (needs: Parameters<typeof lookUp>[1]) => lookUp(call, needs, shop.version),
});

/** What a request brings to a cart. */
async function visitOf(call: Call, token: string): Promise<CartCall<unknown>['visit']> {
  const { c, caller } = call;
  const key = c.req.method === 'POST' ? c.req.header('idempotency-key') : undefined;
  const customerId = call.customer?.customerId ?? null;
  return {
    token,
    shop: await pricingContextAt(call, requestedVersion(call)),
    customerId,
    ifMatch: c.req.header('if-match') ?? null,
    once:
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

/** The response to a cart's answer; a reservation that an edit made void is given back first. */
async function shown(
  call: Call,
  { reply, cartId }: { readonly reply: ShownReply | RefusedReply | 'spent'; readonly cartId: string },
  status: 200 | 201 = 200,
): Promise<Reply<never>> {
  if (reply === 'spent') return fail('cart_not_found');
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
  if (same) return respond(c, null, 304, fields);
  return respond(c, body, status, { ...fields, 'Content-Type': 'application/json' });
}
