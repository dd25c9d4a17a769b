import { z } from 'zod';
import {
  asFormError,
  instant,
  NextLink,
  type Outcome,
  type PageRequest,
  postOnce,
  Secret,
} from '../../web/index.ts';
import { Delivery, Replayed, WebhookWithSecret } from '../../webhooks/index.ts';
import type { EditPart } from '../editing/changes.ts';
import { saveEdit } from '../editing/save-edit.tsx';
import { findHook, type Hook } from './webhooks/find-hook.ts';
import type { Registration } from './webhooks/webhook-form.tsx';

/** The path of the list of webhooks. */
export const WEBHOOKS_PATH = '/developer/webhooks';

/** The page of a signing secret, which appears only in the response to its form. */
const showSecret = ({ id, url, secret }: z.output<typeof WebhookWithSecret>): Outcome => ({
  view: {
    title: 'Signing secret',
    body: (
      <>
        <p>Deliveries to {url} are signed with this secret (Standard Webhooks).</p>
        <Secret label="Secret" value={secret} />
        <NextLink href={`${WEBHOOKS_PATH}/${id}`} label="View webhook" />
      </>
    ),
  },
});

/** Returns the API's path of the request's webhook. */
export const apiPath = (request: PageRequest): string =>
  `/v1/webhooks/${encodeURIComponent(request.param('id'))}`;

/** Registers a webhook and shows its secret once. */
export async function create(request: PageRequest, body: z.output<typeof Registration>): Promise<Outcome> {
  const made = await postOnce(request, { path: '/v1/webhooks', body, answer: WebhookWithSecret });
  return made.ok ? showSecret(made.value) : made;
}

const webhookPath = (request: PageRequest): string =>
  `${WEBHOOKS_PATH}/${encodeURIComponent(request.param('id'))}`;

const UNSUITED =
  'A condition of this webhook is about a field or a value that none of these events has. Remove it first.';

/** The parts of a webhook that its form edits. */
export const WEBHOOK_PARTS: readonly EditPart<Hook>[] = [
  { key: 'url', label: 'URL' },
  { key: 'description', label: 'Description', of: ({ description }) => description?.trim() || null },
  { key: 'events', label: 'Events', of: ({ events }) => events.toSorted() },
  { key: 'status', label: 'Status' },
  { key: 'ordered', label: 'Order' },
];

/** Saves what was changed of a webhook, and asks where somebody else has changed the same meanwhile. */
export async function change(request: PageRequest, input: z.output<typeof Registration>): Promise<Outcome> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const saved = await saveEdit(request, {
    path: apiPath(request),
    to: webhookPath(request),
    load: () => findHook(request),
    parts: () => WEBHOOK_PARTS,
    values: { ...Object.fromEntries(given), events: input.events.toSorted() },
  });
  if (!('formError' in saved)) return saved;
  // The form has no field for a filter: what its events may be depends on it.
  const { filter, ...errors } = saved.formError.errors;
  return { formError: { ...saved.formError, errors: filter ? { ...errors, events: [UNSUITED] } : errors } };
}

/** Rotates the signing secret and shows the new one once. */
export async function rotate(request: PageRequest): Promise<Outcome> {
  const rotated = await postOnce(request, {
    path: `${apiPath(request)}/rotate-secret`,
    answer: WebhookWithSecret,
  });
  return rotated.ok ? showSecret(rotated.value) : rotated;
}

/** Sends a test event. */
export async function ping(request: PageRequest): Promise<Outcome> {
  const sent = await postOnce(request, { path: `${apiPath(request)}/ping`, answer: Delivery });
  if (!sent.ok) return sent;
  return { to: webhookPath(request), note: sent.value.status === 'held' ? 'held' : 'sent' };
}

/** Returns to the request's webhook, with what becomes of events that were replayed. */
async function afterReplay(request: PageRequest): Promise<Outcome> {
  const found = await findHook(request);
  const isPaused = found.ok && found.value.status === 'paused';
  return { to: webhookPath(request), note: isPaused ? 'replayed_later' : 'replayed' };
}

/** Replays one delivery. */
export async function replayOne(request: PageRequest): Promise<Outcome> {
  const delivery = encodeURIComponent(request.param('delivery'));
  const path = `${apiPath(request)}/deliveries/${delivery}/replay`;
  const sent = await postOnce(request, { path });
  return sent.ok ? afterReplay(request) : sent;
}

/** The form that replays a range of time. */
export const Range = z.object({ from: instant, to: instant });

/** Replays the events of a range of time. */
export async function replay(request: PageRequest, body: z.output<typeof Range>): Promise<Outcome> {
  const path = `${apiPath(request)}/replay`;
  const sent = await postOnce(request, { path, body, answer: Replayed });
  if (!sent.ok) return sent;
  if (sent.value.replayed === 0) {
    return asFormError('No event of this time range is stored. Nothing is sent.', 422, 'from');
  }
  return afterReplay(request);
}
