import { ERRORS } from '../core/errors.ts';
import { log } from '../core/log.ts';
import { badMasterKeys } from '../crypto/crypto.ts';

/** The invalid keys by environment; an isolate has one environment, which never changes. */
const checked = new WeakMap<object, readonly string[]>();

/**
 * Returns the 503 for every request, `/healthz` included, while a master key is missing or invalid, and logs
 * the names of the variables, never their values. Returns `null` if all keys are valid.
 */
export function refuseBadKeys(env: object): Response | null {
  let bad = checked.get(env);
  if (!bad) {
    bad = badMasterKeys(env);
    checked.set(env, bad);
  }
  if (bad.length === 0) return null;
  const requestId = crypto.randomUUID();
  log('bad_master_key', { variables: bad, request_id: requestId });
  const [status, message] = ERRORS.unavailable;
  return Response.json(
    { message, code: 'unavailable', request_id: requestId },
    { status, headers: { 'X-Request-Id': requestId, 'Cache-Control': 'no-store', 'Retry-After': '60' } },
  );
}
