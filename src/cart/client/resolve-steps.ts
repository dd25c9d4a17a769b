import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { buyerNetwork } from '../../kernel/http/client-ip.ts';
import type { Call } from '../../kernel/http/context.ts';
import type { CartPromotion } from '../../promotions/index.ts';
import type { CartStep } from '../object/messages.ts';
import type { CartOperationInput } from '../schemas.ts';
import { resolveAdditions } from './additions.ts';
import { findCartCode } from './find-code.ts';

/**
 * Looks up what the operations of a batch need: products together, coupons one after the other until one
 * fails, as the batch then fails at it. Fails only if the request's network address is invalid.
 */
export async function resolveSteps(
  call: Call,
  operations: readonly CartOperationInput[],
): Promise<Result<CartStep[]>> {
  const added = operations.filter((operation) => operation.op === 'add');
  const codes = operations.flatMap((one) => (one.op === 'coupon' && one.code !== null ? [one.code] : []));
  const [additions, coupons] = await Promise.all([resolveAdditions(call, added), findCoupons(call, codes)]);
  if (!coupons.ok) return coupons;
  const [nextAddition, nextCoupon] = [additions.values(), coupons.value.values()];
  return ok(
    operations.map((operation): CartStep => {
      switch (operation.op) {
        case 'add':
          return { op: 'add', addition: nextAddition.next().value ?? fail('product_not_found') };
        case 'set':
          return { op: 'set', lineId: operation.item_id, quantity: operation.quantity };
        case 'remove':
          return { op: 'remove', lineId: operation.item_id };
        case 'coupon':
          if (operation.code === null) return { op: 'coupon', found: null };
          return { op: 'coupon', found: nextCoupon.next().value ?? fail('coupon_not_found') };
        default:
          return operation;
      }
    }),
  );
}

async function findCoupons(call: Call, codes: readonly string[]): Promise<Result<Result<CartPromotion>[]>> {
  const found: Result<CartPromotion>[] = [];
  if (codes.length === 0) return ok(found);
  const address = buyerNetwork(call.c);
  if (!address.ok) return address;
  const customerId = call.customer?.customerId ?? null;
  for (const code of codes) {
    const coupon = await findCartCode(call, { code, customerId, address: address.value });
    found.push(coupon);
    if (!coupon.ok) break;
  }
  return ok(found);
}
