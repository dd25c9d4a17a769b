import { commit } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { commitInRounds, type Outcomes } from '../rounds.ts';
import { moveStock, newCause } from '../stock-moves.ts';
import type { Reservation, ReservedLine, StockDemand } from '../tables.ts';
import { type Hold, holdChanges, statusFor } from './hold.ts';
import { type HoldTime, holdTime } from './hold-time.ts';
import {
  demandKey,
  isBookable,
  loadClaimedStock,
  moveClaimed,
  type SellableStock,
  type StockClaim,
  shortage,
} from './shortage.ts';
import { assertStillSellable, reservationsAt } from './status-change.ts';
import { countMovements, MAX_MOVEMENTS_PER_DAY, tooManyMovements } from './usage.ts';

/** Largest number of attempts at one claim under concurrent writes. */
const MAX_RESERVE_ATTEMPTS = 5;

/**
 * Reserves stock for versions of carts, each until the end of its cart's `holdTime`, and releases the carts'
 * other versions in the same batch. Each claim takes effect whole or not at all, whatever becomes of the others;
 * they are decided on in their order. A repeated claim keeps the reservation and its expiry; if products have changed
 * in between, it takes its new demands. When the cart has used up its time, the reservation is `released` at once, and
 * placing the order reserves the stock if it is still available. Untracked items take nothing. A claim fails with
 * `insufficient_stock` or `slot_unavailable`, whose details name the shortage, with `cart_locked` when the version has an
 * order, or with `rate_limited` when the tenant has {@link MAX_MOVEMENTS_PER_DAY}.
 */
export const reserveAll = (
  ctx: TenantContext,
  claims: readonly StockClaim[],
): Promise<Result<Reservation>[]> =>
  commitInRounds(claims, {
    ctx,
    rounds: roundsByCart(claims),
    commit: (round) => reserveRound(ctx, round),
    maxAttempts: MAX_RESERVE_ATTEMPTS,
    refusal: () => fail('conflict'),
  });

/** Splits claims into rounds in which each cart has one claim. */
function roundsByCart(claims: readonly StockClaim[]): StockClaim[][] {
  const rounds: StockClaim[][] = [];
  const seen = new Map<string, number>();
  for (const claim of claims) {
    const nth = seen.get(claim.cartId) ?? 0;
    seen.set(claim.cartId, nth + 1);
    rounds[nth] = [...(rounds[nth] ?? []), claim];
  }
  return rounds;
}

async function reserveRound(
  ctx: TenantContext,
  claims: readonly StockClaim[],
): Promise<Outcomes<StockClaim, Reservation>> {
  const { holds, decided } = await decide(ctx, claims);
  // A claim is refused for what the holds take, so only once they are committed.
  return holds.length > 0 ? [...(await writeHolds(ctx, holds)), ...decided] : decided;
}

/** What is to be written, and the claims that need no write with their outcomes. */
interface Decision {
  readonly holds: readonly Hold[];
  readonly decided: Outcomes<StockClaim, Reservation>;
}

/** Decides on claims in their order, each on the stock that the earlier ones leave. */
async function decide(ctx: TenantContext, claims: readonly StockClaim[]): Promise<Decision> {
  const { reservations, ...stock } = await loadClaimedStock(ctx, claims);
  const byCart = Map.groupBy(reservations, ({ cartId }) => cartId);
  const decided: Outcomes<StockClaim, Reservation> = [];
  const holds = claims.flatMap((claim) => {
    const one = decideOne(claim, byCart.get(claim.cartId) ?? [], stock);
    if (!('ok' in one)) return [one];
    decided.push([claim, one]);
    return [];
  });
  return { holds, decided };
}

/** Decides on one claim, and moves `stock` if something is to be written. */
function decideOne(
  claim: StockClaim,
  existing: readonly Reservation[],
  { movements, ...stock }: SellableStock & { readonly movements: number },
): Result<Reservation> | Hold {
  const demands = mergeDemands(claim.demands);
  const own = existing.find((one) => one.cartVersion === claim.version);
  if (own?.status === 'ordered' || own?.status === 'consumed') return fail('cart_locked');
  const lines = reservedLines(demands, stock);
  const isSame = own !== undefined && canonicalJson(own.lines) === canonicalJson(lines);
  const isHeld = isSame && own.status === 'held';
  const short = isHeld ? null : shortage(demands, existing, stock);
  if (short) return short;
  const time = holdTime(existing, own, now());
  const others = existing.filter((one) => one !== own && one.status === 'held');
  if (isSame && others.length === 0 && isUpToDate(own, time)) return ok(own);
  const takes = !isHeld && statusFor(time) === 'held';
  if (takes && movements >= MAX_MOVEMENTS_PER_DAY) return tooManyMovements();
  for (const other of others) moveClaimed(stock, other.lines, 1);
  if (!isHeld && own?.status === 'held') moveClaimed(stock, own.lines, 1);
  if (takes) moveClaimed(stock, lines, -1);
  return { claim, lines, own, isHeld, others, time };
}

/**
 * Returns whether a reservation of the lines that are claimed needs no write. One that a cancelled order had does:
 * until it is reserved anew, failed refunds of that order return its lines to stock.
 */
const isUpToDate = ({ status, expiresAt, orderId }: Reservation, { until }: HoldTime): boolean =>
  status === 'held' ? expiresAt === until : until <= now() && orderId === null;

/** Adds up the demands for the same item or slot. */
function mergeDemands(demands: readonly StockDemand[]): StockDemand[] {
  const byKey = new Map<string, StockDemand>();
  for (const demand of demands) {
    const key = demandKey(demand);
    byKey.set(key, { ...demand, quantity: demand.quantity + (byKey.get(key)?.quantity ?? 0) });
  }
  return [...byKey.values()];
}

/**
 * Converts demands to reserved lines; untracked items take no stock. The line of a slot that has begun or moved equals
 * none that is held, so that the claim is decided again.
 */
const reservedLines = (demands: readonly StockDemand[], { items, slots }: SellableStock): ReservedLine[] =>
  demands.flatMap((demand): ReservedLine[] => {
    if ('itemId' in demand) return items.get(demand.itemId)?.policy === 'untracked' ? [] : [demand];
    const slot = slots.get(demand.slotId);
    return [{ ...demand, productId: slot && isBookable(slot, demand) ? slot.product_id : 0 }];
  });

/**
 * Writes reservations and moves their stock in one batch. Throws the constraint violation that rolled it back.
 */
async function writeHolds(
  ctx: TenantContext,
  holds: readonly Hold[],
): Promise<Outcomes<StockClaim, Reservation>> {
  const cause = newCause(ctx, 'checkout');
  const changes = holdChanges(ctx, holds);
  const sold = holds.flatMap(({ isHeld, lines }) => (isHeld ? [] : lines));
  const { read } = await commit(ctx, {
    batches: [cause.batch],
    guards: [assertStillSellable(ctx, sold)],
    statements: [
      ...changes.flatMap(({ statements }) => statements),
      ...moveStock(ctx, cause, {
        moves: changes.flatMap(({ moves }) => moves),
        follow: changes.flatMap(({ follow }) => follow),
      }),
      countMovements(ctx.db, cause),
    ],
    reads: {
      reservations: reservationsAt(
        ctx,
        holds.map(({ claim }) => claim),
      ),
    },
  });
  const byCart = new Map(read.reservations.map((row) => [row.cartId, row]));
  return holds.map(({ claim }) => {
    const row = byCart.get(claim.cartId);
    if (!row) throw new Error('The batch returned no reservation');
    return [claim, ok(row)];
  });
}
