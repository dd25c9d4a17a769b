/** Stands in the bundle for parts of Stripe's library that nothing here calls: 15 KiB of it, gzipped. */

class Unused {}

/** Would add methods to the promise of each list that read its further pages. */
export const makeAutoPaginationMethods = (): undefined => undefined;

export {
  Unused as AccountResource,
  Unused as Billing,
  Unused as BillingPortal,
  Unused as Climate,
  Unused as CreditNoteResource,
  Unused as CustomerResource,
  Unused as Decimal,
  Unused as FinancialConnections,
  Unused as Identity,
  Unused as InvoiceItemResource,
  Unused as InvoiceResource,
  Unused as Issuing,
  Unused as OAuthResource,
  Unused as PaymentLinkResource,
  Unused as PaymentRecordResource,
  Unused as PlanResource,
  Unused as PriceResource,
  Unused as ProductResource,
  Unused as QuoteResource,
  Unused as Radar,
  Unused as StripeEventNotificationHandler,
  Unused as SubscriptionItemResource,
  Unused as SubscriptionResource,
  Unused as SubscriptionScheduleResource,
  Unused as Tax,
  Unused as Terminal,
  Unused as TestHelpers,
  Unused as Treasury,
  Unused as V2,
};
