import type { DeliveredType } from '../tables.ts';

/** Statuses of a delivery. `failed`: an attempt failed and a retry is scheduled; `dead`: no retry is left. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'held', 'dead'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An event to deliver to one webhook. */
export type NewDelivery = {
  eventId: string;
  type: DeliveredType;
  /** When the event occurred (ms). */
  occurredAt: number;
  /** The signed request body, identical in every attempt. */
  body: string;
  /** The changed resource and the event's position in the outbox; absent for a ping. */
  resource?: string;
  position?: number;
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

/** The recorded end of an attempt. */
export interface Ending {
  readonly at: number;
  readonly responseStatus: number | null;
  /** The error code, or null on success. */
  readonly error: string | null;
  readonly responseBody: string | null;
  /** When to retry (ms), or null for never. */
  readonly retryAt: number | null;
}

/** A logged attempt. Times in ms; `endedAt` is null while it runs. */
export type AttemptView = {
  startedAt: number;
  endedAt: number | null;
  responseStatus: number | null;
  error: string | null;
  responseBody: string | null;
};

/** A listed delivery. Times in ms. */
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

/** A delivery with the body that each of its attempts sends. */
export type SentDelivery = DeliveryView & { body: string };

/** Filters a page of deliveries, newest first. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly type?: DeliveredType | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Only deliveries older than this one (its id), in place of `offset`. */
  readonly before?: number | null;
}

/** A range of instants (ms), both ends included. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}
