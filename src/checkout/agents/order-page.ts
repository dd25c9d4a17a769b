import type { OrderRow } from '../../orders/index.ts';
import { sessionTokenOf } from '../signatures.ts';

/**
 * Returns the URL of an order's page on the hosted checkout: it leads to paying a pending order, and shows a paid
 * one. Works until 30 days after the checkout.
 */
export const orderPageUrl = (
  env: object,
  { tenantId, origin, id }: Pick<OrderRow, 'tenantId' | 'origin' | 'id'>,
): string => `${origin}/checkout/${sessionTokenOf(env, tenantId, id)}/thanks`;
