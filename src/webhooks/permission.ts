import type { Call } from '../kernel/call.ts';
import { database } from '../kernel/database.ts';
import { fail, invalid, ok, type Result } from '../kernel/result.ts';
import type { Scope } from '../kernel/scopes.ts';
import type { WebhookPatch } from './schemas.ts';
import { webhookById } from './store.ts';
import type { EventType } from './tables.ts';
import { guardUrl } from './url-guard.ts';

/**
 * Whoever has something told must be allowed to read it, and where it goes must be public. Answers the URL,
 * where there is one, as it is kept.
 */
export async function permitted(
  { env, c, caller }: Call,
  { events = [], url }: { events?: EventType[] | undefined; url?: string | undefined },
): Promise<Result<{ url?: string }>> {
  const needed = events.map((event): Scope => (event.startsWith('order.') ? 'orders:read' : 'catalog:read'));
  const missing = needed.find((scope) => !caller.scopes.has(scope));
  if (missing) return fail('insufficient_scope', { details: { required_scope: missing } });
  if (url === undefined) return ok({});
  const verdict = await guardUrl(env, url, c.req.url);
  return verdict.ok ? ok({ url: verdict.url }) : invalid('url', verdict.problem);
}

/** The events that a change of a webhook has told: those it names, or, to a new URL, those of before. */
export async function eventsOf({
  env,
  caller,
  params,
  body,
}: Call<{ id: number }, unknown, WebhookPatch>): Promise<EventType[]> {
  if (body.events || body.url === undefined) return body.events ?? [];
  const before = await webhookById(database(env), caller.tenantId, params.id);
  return before.ok ? before.value.events : [];
}
