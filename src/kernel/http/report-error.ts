import { isOutage } from '../data/database.ts';

/**
 * Logs what was thrown, once, and answers the code to tell the client: storage that can't be reached, or a
 * bug of ours. Neither the message nor the parameters of a failed query are logged: they hold what people
 * wrote.
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
