import { z } from 'zod';
import { type Answer, asFormError, clip, type PageRequest } from '../../../web/index.ts';
import { Webhook } from '../../../webhooks/index.ts';

/** A webhook as the API lists it. */
export type Hook = z.output<typeof Webhook>;

/** The API's list of webhooks. */
export const WebhookList = z.object({ data: z.array(Webhook) });

/** Returns the webhook that the request's path names, or a 404. */
export async function findHook(request: PageRequest): Promise<Answer<Hook>> {
  const hooks = await request.api({ path: '/v1/webhooks', answer: WebhookList });
  if (!hooks.ok) return hooks;
  const hook = hooks.value.data.find(({ id }) => String(id) === request.param('id'));
  return hook ? { ok: true, value: hook } : { ok: false, ...asFormError('Webhook not found.', 404) };
}

/** Returns what a webhook is called: its description, else its URL. */
export const titleOf = ({ description, url }: Hook): string => clip(description ?? url);
