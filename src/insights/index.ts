export {
  abandonedStatement,
  CALL_HOURS_KEPT_MS,
  type CallCount,
  callStatements,
  type SaleChange,
  saleStatements,
} from './count.ts';
export { forgetCallDays, forgetCallHours, forgetItemDays, forgetItemHours, forgetSales } from './forget.ts';
export { hourOf, PERIODS, type Period } from './period.ts';
export { Insights } from './schemas.ts';
