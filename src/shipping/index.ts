export {
  deliveryCountries,
  FLAT_RATE_METHOD,
  fittingMethods,
  offeredMethods,
  type ShippingMethod,
  type ShippingSettings,
} from './methods.ts';
export {
  cheapestQuote,
  quoteMethods,
  type ShippingQuote,
} from './quotes.ts';
export { checkMethodNames, methodAmounts, ShippingMethodSettings, ShippingMethods } from './schemas.ts';
