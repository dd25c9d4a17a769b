import type { DeliveredType } from '../tables.ts';

/** Where a delivery stands. `failed`: the last attempt failed and another will come; `dead`: none will. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An event on its way to one webhook. */
export type NewDelivery = {
  eventId: string;
  type: DeliveredType;
  /** When it happened (ms). */
  occurredAt: number;
  /** The bytes that are signed and sent, the same in every attempt. */
  body: string;
};

/** An attempt that has begun. */
export type Attempt = NewDelivery & {
  id: number;
  deliveryId: number;
  /** Failed attempts since the delivery was accepted or replayed. */
  tries: number;
  /** Counts all attempts of the delivery, from 1. */
  number: number;
  startedAt: number;
};

/** How an attempt ended. */
export interface Ending {
  readonly at: number;
  readonly responseStatus: number | null;
  /** Why it failed, or null when it delivered. */
  readonly error: string | null;
  readonly responseBody: string | null;
  /** When to try again (ms), or null for never. */
  readonly retryAt: number | null;
}

/** An attempt as the log shows it. Times in ms; `endedAt` is null while it runs. */
export type AttemptView = {
  deliveryId: number;
  startedAt: number;
  endedAt: number | null;
  responseStatus: number | null;
  error: string | null;
  responseBody: string | null;
};

/** A delivery as the list shows it. Times in ms. */
export type DeliveryView = {
  id: number;
  eventId: string;
  type: DeliveredType;
  status: DeliveryStatus;
  attempts: number;
  responseStatus: number | null;
  occurredAt: number;
  createdAt: number;
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  /** The last attempts, oldest first. */
  log: AttemptView[];
};

/** Which deliveries to list, newest first. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly type?: DeliveredType | undefined;
  readonly limit: number;
  readonly offset: number;
}
