import { sha256 } from '../kernel/crypto/crypto.ts';
import { database } from '../kernel/data/database.ts';
import { isMarked } from '../kernel/data/idempotency-keys.ts';
import { keyName } from '../kernel/http/idempotency.ts';
import type { FormError } from './api-client.ts';
import { INNER_APPLICATION } from './inner-api.ts';
import { onceOf, type PageRequest } from './page.ts';

/** Returns whether the submitted form has already made this call of the API: it is sent again after its answer was lost. */
export async function wasPosted(request: PageRequest, path: string): Promise<boolean> {
  const once = onceOf(request);
  if (!once) return false;
  const { env, tenant } = request;
  const key = keyName('POST', path, sha256(once));
  return isMarked(database(env, tenant.id), { tenantId: tenant.id, applicationId: INNER_APPLICATION, key });
}

/**
 * Returns the request for showing a submitted form again after an error. A form that is being worked on, or failed with a
 * 503 after what it did, keeps its key: sent again, it has no second effect.
 */
export function shownAgain(request: PageRequest, { code, status }: FormError): PageRequest {
  const isOpen = code === 'idempotency_in_progress' || status === 503;
  return Object.create(request, { once: { value: isOpen ? onceOf(request) : undefined, enumerable: true } });
}
