/** Stands in the bundle for parts of Stripe's library that nothing here calls: 11 KiB of it, gzipped. */

class Unused {}

/** Would add methods to the promise of each list that read its further pages. */
export const makeAutoPaginationMethods = (): undefined => undefined;

export {
  Unused as AccountResource,
  Unused as Billing,
  Unused as CreditNoteResource,
  Unused as CustomerResource,
  Unused as InvoiceResource,
  Unused as Issuing,
  Unused as OAuthResource,
  Unused as PaymentLinkResource,
  Unused as PriceResource,
  Unused as QuoteResource,
  Unused as StripeEventNotificationHandler,
  Unused as SubscriptionItemResource,
  Unused as SubscriptionResource,
  Unused as Terminal,
  Unused as TestHelpers,
  Unused as Treasury,
  Unused as V2,
};
