import { errorName } from '../core/log.ts';
import { isOutage } from '../data/database.ts';

/**
 * Returns what may be logged of an error: its class, whether a store failed, and its stack. Neither the message nor a
 * query's parameters, which may contain personal data.
 */
export const errorFields = (error: unknown) => ({
  name: errorName(error),
  storage: isOutage(error),
  // Without the message, whose lines may look like frames.
  stack: error instanceof Error ? error.stack?.replace(error.message, '') : null,
});
