export {
  abandonedStatement,
  type CallCount,
  callStatement,
  type SaleChange,
  type SoldItem,
  saleStatements,
} from './count.ts';
export { forgetCalls, forgetItemDays, forgetItemHours, forgetSales } from './forget.ts';
export { hourOf, PERIODS, type Period } from './period.ts';
export { Insights } from './schemas.ts';
