const MAX_ATTEMPTS = 3;

/** Returns whether a Durable Object refused a call because too many wait for it: each retry would add to them. */
export const isOverloaded = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'overloaded') === true;

/**
 * Calls a Durable Object up to three times, unless it is overloaded; returns whether an attempt succeeded. Each
 * attempt has to get a new stub, because a broken stub stays broken.
 */
export async function retry(attempt: () => Promise<unknown>): Promise<boolean> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    try {
      await attempt();
      return true;
    } catch (error) {
      if (isOverloaded(error)) return false;
    }
  }
  return false;
}

/** The longest delay in seconds before a queue redelivers a message. */
const MAX_RETRY_DELAY_S = 3_600;

/** Returns the delay in seconds after a message's n-th failed attempt: 5, 10, 20, … up to an hour. */
export const retryDelay = (attempts: number): number => Math.min(5 * 2 ** (attempts - 1), MAX_RETRY_DELAY_S);
