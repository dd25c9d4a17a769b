export {
  abandonedStatement,
  type CallCount,
  callStatement,
  HOURS_KEPT_MS,
  type SaleChange,
  saleStatements,
} from './count.ts';
export { forgetCalls, forgetItemDays, forgetItemHours, forgetSales } from './forget.ts';
export { hourOf, PERIODS, type Period } from './period.ts';
export { Insights } from './schemas.ts';
