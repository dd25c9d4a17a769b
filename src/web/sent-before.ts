import { sha256 } from '../kernel/crypto/crypto.ts';
import { isMarked, type SentKey } from '../kernel/data/idempotency-keys.ts';
import { keyName, keyPlace } from '../kernel/http/idempotency.ts';
import type { ApiCall, FormError } from './api-client.ts';
import { onceOf, type PageRequest } from './page.ts';

/** The application of the panels' calls, which no token has. */
export const INNER_APPLICATION = 0;

/** Returns the Idempotency-Key of a form's key, which may hold what no header can. */
export const keyOf = (once: string): string => sha256(once);

/**
 * Returns whether a POST of a tenant, or of the platform (0), was committed before under the key of a form: its answer was
 * lost.
 */
export async function wasCommitted(
  env: Env,
  tenantId: number,
  { path, once }: Pick<ApiCall<unknown>, 'path' | 'once'>,
): Promise<boolean> {
  if (!once) return false;
  const key = keyName('POST', path, keyOf(once));
  const [, slug] = /^\/admin\/v1\/tenants\/([^/]+)\//.exec(path) ?? [];
  const place = await keyPlace(env, tenantId, slug && decodeURIComponent(slug));
  return isMarked(place.db, { tenantId: place.tenantId, applicationId: INNER_APPLICATION, key });
}

/**
 * Returns the key in the directory under which a page marks what its form has done without the API to one `subject`;
 * `null` for a form without a key.
 */
export function formKey(request: PageRequest, subject: string): SentKey | null {
  const once = onceOf(request);
  const key = once && keyName('POST', `${request.c.req.path}#${subject}`, keyOf(once));
  return key ? { tenantId: 0, applicationId: INNER_APPLICATION, key } : null;
}

/** Returns whether the submitted form has already made this call of the API. */
export const wasPosted = (request: PageRequest, path: string): Promise<boolean> =>
  wasCommitted(request.env, request.tenant.id, { path, once: onceOf(request) });

/**
 * Returns the request for showing a submitted form again after an error. A form that is being worked on, or failed with a
 * 503 after what it did, keeps its key: sent again, it has no second effect.
 */
export function shownAgain(request: PageRequest, { code, status }: FormError): PageRequest {
  const isOpen = code === 'idempotency_in_progress' || status === 503;
  return Object.create(request, { once: { value: isOpen ? onceOf(request) : undefined, enumerable: true } });
}
