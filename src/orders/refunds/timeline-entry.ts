import { toNumber } from '../../kernel/values/money.ts';
import type { TimelineEntry } from '../timeline/store.ts';
import type { RefundRow } from './tables.ts';

/** Returns the timeline's entry of a refund that succeeded, by who asked for it. */
export const refundEntry = ({ id, amount, currency, source, requestedBy }: RefundRow): TimelineEntry => ({
  type: 'refunded',
  details: { refund_id: id, amount: toNumber(amount, currency), currency, source },
  by: requestedBy,
});
