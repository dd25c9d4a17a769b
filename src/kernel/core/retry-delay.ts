/** The longest delay in seconds before a queue redelivers a message. */
const MAX_RETRY_DELAY_S = 3_600;

/** Returns the delay in seconds after a message's n-th failed attempt: 5, 10, 20, … up to an hour. */
export const retryDelay = (attempts: number): number => Math.min(5 * 2 ** (attempts - 1), MAX_RETRY_DELAY_S);
