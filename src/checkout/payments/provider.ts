import type {
  PaymentReference,
  PaymentRow,
  ProviderRefund,
  ProviderReport,
  RefundRow,
  StoredOrder,
} from '../../orders/index.ts';

/** The result of beginning a payment at the provider. */
export type BeginResult =
  | { readonly state: 'paid'; readonly payment: PaymentReference }
  | { readonly state: 'declined'; readonly payment: PaymentReference }
  /** The shopper pays at `url`, until `until` (ms). */
  | { readonly state: 'redirect'; readonly url: string; readonly reference: string; readonly until: number }
  /** The shopper has paid, but the money has not arrived. */
  | { readonly state: 'processing'; readonly payment: PaymentReference }
  /** The payment has expired at the provider. */
  | { readonly state: 'ended' }
  /** The provider never charges this total: it is outside limits that only the provider knows. */
  | { readonly state: 'refused' };

/** The status of a payment at the provider. */
export type ProviderPaymentStatus =
  | { readonly state: 'paid'; readonly payment: PaymentReference }
  /** The shopper can still pay. */
  | { readonly state: 'open' }
  /** The shopper has paid, but the money has not arrived. The payment can still fail without a callback. */
  | { readonly state: 'processing'; readonly payment: PaymentReference }
  /** The payment ended without money. */
  | { readonly state: 'ended' };

/** The content of a callback whose signature is valid. */
export type ProviderNotice =
  | { readonly kind: 'paid'; readonly orderId: string; readonly payment: PaymentReference }
  | { readonly kind: 'ended'; readonly orderId: string; readonly payment: PaymentReference }
  /** Refunds or disputes of a charge have changed; the provider says how. */
  | { readonly kind: 'reversal'; readonly orderId: string | null; readonly charge: string }
  /** A callback that no order depends on. */
  | { readonly kind: 'other' };

/** The provider's response to a refund: what it made, or the code of its refusal. */
export type RefundResult =
  | { readonly state: 'made'; readonly refund: ProviderRefund }
  | { readonly state: 'refused'; readonly reason: string };

/** An order and the provider that it is paid with. */
export interface Payable {
  readonly orderId: string;
  readonly provider: Provider;
}

/** Where the provider redirects the shopper after paying or cancelling. */
interface PaymentReturnUrls {
  readonly success: string;
  readonly cancel: string;
}

/** An order's payment to begin or resume. */
export interface PaymentStart {
  readonly order: StoredOrder;
  readonly payment: PaymentRow;
  readonly returnUrls: PaymentReturnUrls;
  /** Whether to simulate a declined payment (sandbox only). */
  readonly decline: boolean;
}

/**
 * A payment provider: the only interface between checkout and a payment service. Every method is idempotent
 * and throws when the provider is unreachable.
 */
export interface Provider {
  readonly name: string;
  /** Whether payments are tests that move no money. */
  readonly test: boolean;
  /** How long an order waits for payment (ms). */
  readonly paymentWindowMs: number;
  /** Returns whether the provider can charge this amount (minor units). */
  accepts(amount: number, currency: string): boolean;
  /** Begins a payment, or resumes one that has begun. */
  begin(start: PaymentStart): Promise<BeginResult>;
  /** Returns the status of a payment. With `end`, expires a payment that the shopper could still complete. */
  checkStatus(payment: PaymentRow, end: boolean): Promise<ProviderPaymentStatus>;
  /** Returns a payment's refunds and disputes at the provider. */
  reportOf(payment: PaymentRow): Promise<ProviderReport>;
  /** Makes a refund of a payment, at most once for each of its generations. */
  refund(payment: PaymentRow, refund: RefundRow): Promise<RefundResult>;
  /** Parses a callback; `null` when its signature is invalid or too old. */
  parseCallback(body: string, headers: Headers): Promise<ProviderNotice | null>;
}
