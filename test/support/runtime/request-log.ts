/** How long (ms) an isolate gathers calls in tests, so that no test waits a second for the request log. */
export const TEST_FLUSH_INTERVAL_MS = 20;
