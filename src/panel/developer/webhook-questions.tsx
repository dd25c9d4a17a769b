import { type FormError, Instant, type Page, type PageRequest } from '../../web/index.ts';
import { confirmPages, deleteAt, type Question } from '../confirm.tsx';
import { apiPath, Range, replay, rotate, WEBHOOKS_PATH } from './webhook-actions.tsx';
import { findHook, titleOf } from './webhooks/find-hook.ts';

/** Returns a question about the request's webhook, or the error of an unknown one. */
const about =
  (words: (request: PageRequest, formError: FormError | null) => Omit<Question, 'trail' | 'keep'>) =>
  async (request: PageRequest, formError: FormError | null) => {
    const found = await findHook(request);
    if (!found.ok) return found;
    const hook = found.value;
    const here = `${WEBHOOKS_PATH}/${hook.id}`;
    const trail = [[WEBHOOKS_PATH, 'Webhooks'] as const, [here, titleOf(hook)] as const];
    return { ...words(request, formError), trail, keep: [here, 'Back without a change'] as const };
  };

const deletion = about(() => ({
  title: 'Delete this webhook?',
  body: <p>No further event is sent to it. Its delivery log is deleted too. This can't be undone.</p>,
  submit: 'Delete webhook',
}));

const rotation = about(() => ({
  title: 'Rotate the signing secret?',
  body: (
    <p>
      The new secret is shown once. For 24 hours, deliveries carry the signatures of both secrets; after that,
      a receiver that only knows the current one rejects them. Rotating again within these 24 hours ends the
      older signature at once.
    </p>
  ),
  submit: 'Rotate secret',
}));

const replaying = about((request, formError) => ({
  title: 'Replay the events of a time range?',
  body: (
    <p>
      All events of the range are sent again, with the same ids. Held events are included. A receiver that
      does not compare ids handles them twice.
    </p>
  ),
  fields: (
    <div class="pair">
      <Instant f={{ request, formError }} name="from" label="From (UTC)" required />
      <Instant f={{ request, formError }} name="to" label="To (UTC)" required />
    </div>
  ),
  submit: 'Replay events',
}));

const at = (path: string) => ({ path: `/developer/webhooks/:id/${path}`, audience: 'developer' }) as const;

/** The pages that delete a webhook, rotate its secret and replay its events, each after a question. */
export const webhookQuestions: readonly Page[] = [
  ...confirmPages({ ...at('rotate-secret'), needs: 'owner' }, rotation, rotate),
  ...confirmPages({ ...at('delete'), needs: 'owner' }, deletion, (request) =>
    deleteAt(request, apiPath(request), WEBHOOKS_PATH),
  ),
  ...confirmPages({ ...at('replay'), form: Range }, replaying, replay),
];
