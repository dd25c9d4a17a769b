import { reportError } from '../../kernel/http/problem.ts';
import type { ProtocolError } from '../protocol/outcome.ts';

/** Logs what a request threw, and returns the protocol error for it: 503 if a retry makes sense, else 500. */
export function crashError(error: unknown, requestId: string): ProtocolError {
  const code = reportError(error instanceof Error ? error : new Error('Not an error was thrown'), requestId);
  return code === 'unavailable'
    ? { status: 503, code, content: 'Try again in a moment.', retryAfter: 1 }
    : { status: 500, code, content: 'Something went wrong on our side.' };
}
