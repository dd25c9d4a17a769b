import { ERRORS } from '../core/errors.ts';
import { badMasterKeys } from '../crypto/crypto.ts';

/** What is wrong with the keys of an environment; an isolate has one, which never changes. */
const checked = new WeakMap<object, readonly string[]>();

/**
 * Returns the answer to every request, `/healthz` included, while a master key is missing, is no base64 or is too
 * short: 503 `unavailable`, and a log line that names the variables, never their values. Null when all are good.
 */
export function refuseBadKeys(env: object): Response | null {
  let bad = checked.get(env);
  if (!bad) {
    bad = badMasterKeys(env);
    checked.set(env, bad);
  }
  if (bad.length === 0) return null;
  const requestId = crypto.randomUUID();
  console.error(JSON.stringify({ event: 'bad_master_key', variables: bad, request_id: requestId }));
  const [status, message] = ERRORS.unavailable;
  return Response.json(
    { message, code: 'unavailable', request_id: requestId },
    { status, headers: { 'X-Request-Id': requestId, 'Cache-Control': 'no-store', 'Retry-After': '60' } },
  );
}
