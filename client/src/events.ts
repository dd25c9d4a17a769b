import type { Client } from './client.ts';
import type { Schemas } from './method.ts';
import { sleep } from './transport.ts';

/** An event of the feed; `type` discriminates the events. */
export type FeedEvent = Schemas['EventPage']['data'][number];

/** Options of {@link followEvents}. */
export interface FollowOptions {
  /** The last cursor that `onCursor` was given, or `latest` for what happens from now on. Default: the oldest event. */
  readonly after?: string | undefined;
  /** Default: every type that the token may read. */
  readonly types?: readonly FeedEvent['type'][] | undefined;
  /** Seconds that a call waits for an event; 20 by default. */
  readonly waitSeconds?: number | undefined;
  /** Stores a cursor once the loop has handled all events before it. */
  readonly onCursor?: ((cursor: string) => void | Promise<void>) | undefined;
  /** Ends the iteration, also while a call waits. */
  readonly signal?: AbortSignal | undefined;
}

/** The largest page of the feed. */
const PAGE_LIMIT = 100;
/** The least time (ms) between two calls at the end of the feed: a busy shop's events come together, not one a call. */
const PAUSE_MS = 1_000;

/**
 * Iterates over events in the order in which they happened, and goes on with new ones as they come, with at most
 * one call a second once it has caught up. After a crash, events since the stored cursor come again. Throws the
 * ApiError of a call that failed after its retries, such as `cursor_expired` when the cursor is older than 30 days.
 */
export async function* followEvents(
  client: Client,
  { after, types, waitSeconds = 20, onCursor, signal }: FollowOptions = {},
): AsyncGenerator<FeedEvent> {
  const query = { limit: PAGE_LIMIT, wait: waitSeconds, ...(types && { types: types.join(',') }) };
  const options = { timeoutMs: (waitSeconds + 15) * 1_000, ...(signal && { signal }) };
  for (let cursor = after; ; ) {
    const begun = Date.now();
    const { data, meta } = await client.events.list({ ...query, ...(cursor && { after: cursor }) }, options);
    yield* data;
    if (cursor !== meta.next_cursor) await onCursor?.(meta.next_cursor);
    cursor = meta.next_cursor;
    const pauseMs = begun + PAUSE_MS - Date.now();
    if (data.length < PAGE_LIMIT && pauseMs > 0) await sleep(pauseMs, signal);
  }
}
