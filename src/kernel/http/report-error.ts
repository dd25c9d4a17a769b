import { isOutage } from '../data/database.ts';

/**
 * Logs an unexpected error and returns its code: `unavailable` for a storage outage, else `internal_error`.
 * Logs neither the message nor a query's parameters, which may contain personal data.
 */
export function reportError(error: Error, requestId: string): 'unavailable' | 'internal_error' {
  const storage = isOutage(error);
  const stack = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  console.error(
    JSON.stringify({
      event: 'error',
      request_id: requestId,
      name: error.name,
      storage,
      stack: stack.slice(0, 8),
    }),
  );
  return storage ? 'unavailable' : 'internal_error';
}
