import { ERRORS } from '../../kernel/core/errors.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import { isReplayable } from '../../kernel/http/idempotency.ts';
import type { CartReply, ShownReply } from './messages.ts';

/** A stored reply; its cart may have been dropped. */
export type ParsedReply = (Omit<ShownReply, 'cart'> & Partial<Pick<ShownReply, 'cart'>>) | Failed;

/** Returns the failure of a request with a further Idempotency-Key, with the time until one expires (ms). */
export const tooManyKeys = (blockedMs: number): Failed =>
  fail('rate_limited', {
    message: 'Too many Idempotency-Keys were used on this cart within 24 hours.',
    retryAfter: Math.ceil(blockedMs / 1000),
  });

/** Returns whether a reply is stored for its key. */
export function isStorable(reply: CartReply): boolean {
  if (reply.ok) return true;
  if (!('failure' in reply)) return false;
  const [status] = ERRORS[reply.failure.code];
  return isReplayable(status);
}
