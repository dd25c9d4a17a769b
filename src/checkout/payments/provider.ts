import type { PaymentName, PaymentRow, StoredOrder } from '../../orders/index.ts';

/** What a shopper's press of a button came to at the provider. */
export type Begun =
  | { readonly state: 'paid'; readonly payment: PaymentName }
  | { readonly state: 'declined'; readonly payment: PaymentName }
  /** The shopper pays at `url`, until `until` (ms). */
  | { readonly state: 'redirect'; readonly url: string; readonly reference: string; readonly until: number }
  /** The shopper has paid already, and the money is on its way. */
  | { readonly state: 'waiting'; readonly payment: PaymentName }
  /** The provider has ended the payment. */
  | { readonly state: 'over' };

/** How a payment stands at the provider. */
export type Standing =
  | { readonly state: 'paid'; readonly payment: PaymentName }
  /** The shopper can still pay. */
  | { readonly state: 'open' }
  /** The shopper has paid, and the money is on its way; it may still fail, without a callback. */
  | { readonly state: 'waiting'; readonly payment: PaymentName }
  /** No money can come any more. */
  | { readonly state: 'over' };

/** What a provider says in a callback, once it is sure that it was the provider. */
export type ProviderNotice =
  | { readonly kind: 'paid'; readonly orderId: string; readonly payment: PaymentName }
  | { readonly kind: 'over'; readonly orderId: string; readonly payment: PaymentName }
  | { readonly kind: 'refunded'; readonly orderId: string; readonly payment: PaymentName }
  /** Nothing that concerns an order. */
  | { readonly kind: 'other' };

/** Where a provider sends the shopper afterwards. */
export interface Places {
  readonly done: string;
  readonly back: string;
}

/**
 * A payment provider: the one seam between checkout and whoever takes the money. Methods may be called
 * again without harm, and throw when the provider can't be reached.
 */
export interface Provider {
  readonly name: string;
  /** Whether no real money moves. */
  readonly test: boolean;
  /** How long an order waits for it (ms). */
  readonly patience: number;
  /** Whether it can take this amount (minor units). */
  accepts(amount: number, currency: string): boolean;
  /** Begins, or goes on with, the payment of an order. */
  begin(order: StoredOrder, payment: PaymentRow, places: Places, decline: boolean): Promise<Begun>;
  /** How the payment stands; with `end` it is ended first if the shopper could still pay. */
  settle(payment: PaymentRow, end: boolean): Promise<Standing>;
  /** Gives the money back; once, however often it is asked. Answers whether that has been taken on. */
  refund(payment: PaymentRow): Promise<boolean>;
  /** Reads a callback; `null` when it was not the provider, or too long ago. */
  hear(body: string, headers: Headers): Promise<ProviderNotice | null>;
}
