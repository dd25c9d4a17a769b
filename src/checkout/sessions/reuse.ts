import { type CartSnapshot, forgetPerson, type SnapshotLine } from '../../cart/index.ts';
import { orderedReservation } from '../../inventory/index.ts';
import { now, secondsToNextDay } from '../../kernel/core/clock.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import { batch, guardFailed, rows } from '../../kernel/data/database.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { isErased, orderById } from '../../orders/index.ts';
import { sessionDigestOf, sessionTokenOf, type TokenSession } from '../signatures.ts';
import type { SessionRow } from '../tables.ts';
import {
  extendSession,
  hasOrderedTooMuch,
  openSession,
  openSessionOf,
  SESSION_LIFETIME_MS,
  sessionOfOrder,
} from './store.ts';

/** A session is extended when it has less than this left (ms), so that its URL stays good for the shopper. */
const MIN_LIFETIME_LEFT_MS = SESSION_LIFETIME_MS / 2;
/** The most attempts to open a session while others open one for the same cart. */
const MAX_ATTEMPTS = 5;

/** Too many open sessions: each ends soon. */
const TOO_MANY = fail('rate_limited', {
  message: 'The shop has too many checkouts. Try again later.',
  retryAfter: 60,
});

/**
 * Opens a session and ends the cart's other one, unless that one would sell the same: then returns it, so
 * that a repeated request does not end the page that a shopper has open. `rate_limited` at a limit of bytes,
 * `conflict` if the cart's customer was erased since it was frozen, `cart_locked` if it was ordered since.
 */
export async function openOrReuse(ctx: TenantContext, wanted: SessionRow): Promise<Result<TokenSession>> {
  let failed: string | null = null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const open = await openSessionOf(ctx, wanted.cartId);
    const token = open && tokenOf(ctx, open);
    if (open && token !== null && sellsTheSame(open, wanted)) {
      return ok({ token, session: await extended(ctx, open), order: null });
    }
    // The batch failed although no other session was opened.
    if (failed === (open?.digest ?? '')) return refusal(ctx, wanted);
    try {
      await batch(ctx.db, openSession(ctx, wanted, open));
      return ok({
        token: sessionTokenOf(ctx.env, ctx.tenantId, wanted.orderId),
        session: wanted,
        order: null,
      });
    } catch (error) {
      if (!guardFailed(error)) throw error;
      failed = open?.digest ?? '';
    }
  }
  return fail('conflict');
}

/** Returns the failure once the orders of the day are used up. It says to retry on the next day. */
const tooManyOrders = (): Failed =>
  fail('rate_limited', {
    message: 'The shop has taken too many orders today. Try again tomorrow.',
    retryAfter: secondsToNextDay(),
  });

/**
 * Returns why a session can't be opened: its cart was ordered, the tenant has too many, or its customer was erased. Erases
 * them from the cart as well, which may have missed the erasure: the next attempt then opens a guest's session.
 */
async function refusal(ctx: TenantContext, { cartId, reservationId, snapshot }: SessionRow): Promise<Failed> {
  const query = orderedReservation(ctx.tenantId, reservationId);
  const [ordered] = await rows<{ order_id: string }>(ctx.db, query);
  if (ordered) return fail('cart_locked', { details: { order_id: ordered.order_id } });
  const { customerId } = snapshot;
  if (customerId === null || !(await isErased(ctx, customerId))) {
    return (await hasOrderedTooMuch(ctx)) ? tooManyOrders() : TOO_MANY;
  }
  await forgetPerson(ctx, cartId, customerId);
  return fail('conflict');
}

/**
 * Returns the session of a pending order, which leads back to paying it. Fails with `cart_locked` if the order
 * is paid, or if it has no session any more.
 */
export async function sessionToPay(ctx: TenantContext, orderId: string): Promise<Result<TokenSession>> {
  const [order, session] = await Promise.all([orderById(ctx, orderId), sessionOfOrder(ctx, orderId)]);
  const token = session && tokenOf(ctx, session);
  if (!order.ok || order.value.row.status !== 'pending' || !session || token === null) {
    return fail('cart_locked', { details: { order_id: orderId } });
  }
  return ok({ token, session, order: order.value });
}

/** Returns a session's token; null if it was made when tokens were random, or under a deleted master key. */
function tokenOf({ env, tenantId }: TenantContext, { orderId, digest }: SessionRow): string | null {
  const token = sessionTokenOf(env, tenantId, orderId);
  return sessionDigestOf(env, tenantId, orderId) === digest ? token : null;
}

/** Returns the token of a cart's open session, or null. */
export async function openTokenOf(ctx: TenantContext, cartId: string): Promise<string | null> {
  const open = await openSessionOf(ctx, cartId);
  return open && tokenOf(ctx, open);
}

/** The fields of a session that may differ although it sells the same. */
const VOLATILE = { digest: null, orderId: null, buyer: null, createdAt: null, expiresAt: null };

/** Returns whether an open session sells the same cart at the same prices, and returns to the same URLs. */
const sellsTheSame = (open: SessionRow, wanted: SessionRow): boolean =>
  open.expiresAt > now() && soldBy(open) === soldBy(wanted);

/** Returns what a session sells, as JSON: without what only sessions of the release before keep, which nobody reads. */
function soldBy(session: SessionRow): string {
  const { cartToken: _, ...snapshot }: CartSnapshot & { readonly cartToken?: unknown } = session.snapshot;
  const lines = snapshot.lines.map(
    ({ totals: __, ...line }: SnapshotLine & { readonly totals?: unknown }) => line,
  );
  return canonicalJson({ ...session, ...VOLATILE, snapshot: { ...snapshot, lines } });
}

async function extended(ctx: TenantContext, session: SessionRow): Promise<SessionRow> {
  if (session.expiresAt - now() >= MIN_LIFETIME_LEFT_MS) return session;
  const expiresAt = now() + SESSION_LIFETIME_MS;
  await extendSession(ctx, session, expiresAt);
  return { ...session, expiresAt };
}
