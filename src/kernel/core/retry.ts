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
