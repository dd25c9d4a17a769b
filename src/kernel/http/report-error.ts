import { log } from '../core/log.ts';
import { isOutage } from '../data/database.ts';

/**
 * Logs an unexpected error and returns its code: `unavailable` for a storage outage, else `internal_error`.
 * Logs neither the message nor a query's parameters, which may contain personal data.
 */
export function reportError(error: Error, requestId: string): 'unavailable' | 'internal_error' {
  const storage = isOutage(error);
  log('error', { request_id: requestId, name: error.name, storage, stack: error.stack });
  return storage ? 'unavailable' : 'internal_error';
}
