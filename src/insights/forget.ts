import { sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { deletes } from '../kernel/data/chore.ts';
import { CALL_HOURS_KEPT_MS, HOURS_KEPT_MS, ITEM_DAYS_KEPT_MS, ITEM_HOURS_KEPT_MS } from './count.ts';
import { callDays, callHours, itemSales, salesHours } from './tables.ts';

/** Sweep of sales by the hour that no period shows any more. */
export const forgetSales = deletes(salesHours, () => sql`start <= ${now() - HOURS_KEPT_MS}`);
/** Sweep of API calls by the hour that no period shows any more. */
export const forgetCallHours = deletes(callHours, () => sql`start <= ${now() - CALL_HOURS_KEPT_MS}`);
/** Sweep of API calls by the day that no period shows any more. */
export const forgetCallDays = deletes(callDays, () => sql`start <= ${now() - HOURS_KEPT_MS}`);
/** Sweep of sold units by the hour that no period shows any more. */
export const forgetItemHours = deletes(
  itemSales,
  () => sql`span = 'hour' AND start <= ${now() - ITEM_HOURS_KEPT_MS}`,
);
/** Sweep of sold units by the day that no period shows any more. */
export const forgetItemDays = deletes(
  itemSales,
  () => sql`span = 'day' AND start <= ${now() - ITEM_DAYS_KEPT_MS}`,
);
