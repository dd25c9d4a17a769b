const MAX_ATTEMPTS = 3;

/**
 * Calls a Durable Object up to three times; returns whether an attempt succeeded. Each attempt has to get a
 * new stub, because a broken stub stays broken.
 */
export async function retry(attempt: () => Promise<unknown>): Promise<boolean> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    try {
      await attempt();
      return true;
    } catch {
      // Retry with a new stub.
    }
  }
  return false;
}

/** The longest delay in seconds before a queue redelivers a message. */
const MAX_RETRY_DELAY_S = 3_600;

/** Returns the delay in seconds after a message's n-th failed attempt: 5, 10, 20, … up to an hour. */
export const retryDelay = (attempts: number): number => Math.min(5 * 2 ** (attempts - 1), MAX_RETRY_DELAY_S);
