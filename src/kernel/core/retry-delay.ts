/** The longest wait (s) before a queue delivers a message again. */
const MAX_RETRY_DELAY_S = 3_600;

/** Returns how long (s) a message that has failed so many times waits: 5, 10, 20, … up to an hour. */
export const retryDelay = (attempts: number): number => Math.min(5 * 2 ** (attempts - 1), MAX_RETRY_DELAY_S);
