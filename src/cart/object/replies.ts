import { ERRORS } from '../../kernel/core/errors.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import { isReplayable } from '../../kernel/http/idempotency.ts';
import type { CartReply, CartRequest, ShownReply } from './messages.ts';
import type { ReplyStore } from './storage/reply-store.ts';

type Idempotency = NonNullable<CartRequest['idempotency']>;

/** A stored reply; its cart may have been dropped. */
type ParsedReply = (Omit<ShownReply, 'cart'> & Partial<Pick<ShownReply, 'cart'>>) | Failed;

/** Returns the failure of a request with a further Idempotency-Key, with the time until one expires (ms). */
const tooManyKeys = (blockedMs: number): Failed =>
  fail('rate_limited', {
    message: 'Too many Idempotency-Keys were used on this cart within 24 hours.',
    retryAfter: Math.ceil(blockedMs / 1000),
  });

/** Returns whether a reply is stored for its key. */
function isStorable(reply: CartReply): boolean {
  if (reply.ok) return true;
  if (!('failure' in reply)) return false;
  const [status] = ERRORS[reply.failure.code];
  return isReplayable(status);
}

/** Returns the cart as `read` returns it, for a key that was applied before. */
function reread(read: () => CartReply): CartReply {
  const reply = read();
  return reply.ok ? { ...reply, replayed: true } : reply;
}

function replay(kept: ParsedReply, read: () => CartReply): CartReply {
  if (!kept.ok) return { ...kept, replayed: true };
  const { cart, ...rest } = kept;
  if (cart) return { ...rest, cart, replayed: true };
  const reply = reread(read);
  if (reply.ok) return { ...rest, ...reply };
  return 'movedTo' in reply ? { ...reply, applied: true } : reply;
}

/**
 * Returns the reply stored for a key, or null if its request is to be executed. If the stored cart was dropped for
 * its size, returns the current one, which `read` returns. `rate_limited` at the limit of keys.
 */
export function earlierReply(
  store: ReplyStore,
  { key, fingerprint, applied }: Idempotency,
  read: () => CartReply,
): CartReply | null {
  const kept = store.find(key);
  if (kept && kept.fingerprint !== fingerprint) return fail('idempotency_key_reused');
  // Written by storeReply().
  if (kept) return replay(JSON.parse(kept.reply) as ParsedReply, read);
  if (applied) return reread(read);
  const blockedMs = store.blockedForMs();
  return blockedMs <= 0 ? null : tooManyKeys(blockedMs);
}

/** Stores a reply under its key for 24 hours, unless the request may be repeated. Returns whether it was stored. */
export function storeReply(store: ReplyStore, { key, fingerprint }: Idempotency, reply: CartReply): boolean {
  if (!isStorable(reply)) return false;
  store.save(key, { fingerprint, reply: JSON.stringify(reply) });
  return true;
}
