import { z } from 'zod';
import { EVENT_TYPES } from '../../events/index.ts';
import {
  asTrouble,
  Checks,
  Choice,
  clip,
  Facts,
  Field,
  type Filled,
  Form,
  type FormError,
  form,
  getPage,
  Instant,
  instant,
  list,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  pageParam,
  Secret,
  State,
  Table,
  When,
} from '../../web/index.ts';
import { Deliveries, Webhook, WebhookWithSecret } from '../../webhooks/index.ts';
import { LOG_SHOWN, Log } from './deliveries.tsx';

const WebhookList = z.object({ data: z.array(Webhook) });
type Hook = z.output<typeof Webhook>;

const root = '/developer/webhooks';
/** Webhooks on one page of the list. */
const PAGE_SIZE = 20;
const STATUSES = [
  ['active', 'Active'],
  ['paused', 'Paused: events are held for 30 days'],
] as const;

const PAUSE_REASONS: Readonly<Record<string, string>> = {
  gone: 'the receiver responded 410 Gone',
  failing: 'all deliveries failed for five days',
};

/** The status, with the reason of an automatic pause. */
const HookStatus = ({ hook }: { hook: Hook }) => (
  <>
    <State is={hook.status} /> {hook.paused_reason && PAUSE_REASONS[hook.paused_reason]}
  </>
);

const listPage = async (request: PageRequest) => {
  const answer = await request.api({ path: '/v1/webhooks', answer: WebhookList });
  if (!answer.ok) return answer;
  const page = pageAsked(request);
  const { shown, meta } = pageOf(answer.value.data, page, PAGE_SIZE);
  const body = (
    <>
      <Table
        label="Webhooks"
        head={['URL', 'Events', 'Status']}
        rows={shown.map((hook) => [
          <a href={`${root}/${hook.id}`}>{clip(hook.url)}</a>,
          hook.events.join(', '),
          <HookStatus hook={hook} />,
        ])}
        empty={
          <p>
            No webhooks yet. <a href="/developer/new-webhook">Register a webhook</a> to send changes of
            orders, products and stock to your server.
          </p>
        }
      />
      <Pages meta={meta} href={(to) => `${root}?page=${to}`} />
    </>
  );
  return { title: 'Webhooks', body, action: ['/developer/new-webhook', 'New webhook'] as const };
};

const Fields = ({ f, known }: { f: Filled; known: Pick<Hook, 'url' | 'events' | 'status'> }) => (
  <>
    <Field
      f={f}
      name="url"
      label="URL"
      type="url"
      value={known.url}
      hint="An https URL on a public host"
      required
      attributes={{ maxlength: 2048 }}
    />
    <Checks f={f} name="events" legend="Events" options={EVENT_TYPES} checked={known.events} />
    <Choice f={f} name="status" label="Status" options={STATUSES} value={known.status} />
  </>
);

const trail = [[root, 'Webhooks']] as const;

const newPage = async (request: PageRequest, formError: FormError | null) => ({
  title: 'New webhook',
  trail,
  body: (
    <Form request={request} action="/developer/new-webhook" submit="Register and show secret">
      <Fields f={{ request, trouble: formError }} known={{ url: '', events: [], status: 'active' }} />
    </Form>
  ),
});

const Registration = z.object({ url: z.string().trim(), events: list, status: z.string() });

const showSecret = ({ id, url, secret }: z.output<typeof WebhookWithSecret>): Outcome => ({
  view: {
    title: 'Signing secret',
    body: (
      <>
        <p>Deliveries to {url} are signed with this secret (Standard Webhooks).</p>
        <Secret label="Secret" value={secret} />
        <p>
          <a class="button" href={`${root}/${id}`}>
            View webhook
          </a>
        </p>
      </>
    ),
  },
});

const Actions = ({ f, here }: { f: Filled; here: string }) => (
  <section aria-labelledby="actions">
    <h2 id="actions">Test, replay and secret</h2>
    <Form request={f.request} action={`${here}/replay`} submit="Replay events">
      <p class="lead">Sends all events of a time range again, with the same ids. Held events are included.</p>
      <div class="pair">
        <Instant f={f} name="from" label="From (UTC)" required />
        <Instant f={f} name="to" label="To (UTC)" required />
      </div>
    </Form>
    <div class="actions">
      <Form request={f.request} action={`${here}/ping`} submit="Send a test event" quiet />
      <Form request={f.request} action={`${here}/rotate-secret`} submit="New secret" quiet />
      <Form request={f.request} action={`${here}/delete`} submit="Delete webhook" quiet danger />
    </div>
    <p class="hint">
      For 24 hours after a new secret is made, deliveries carry both signatures. Deleting a webhook also
      deletes its delivery log.
    </p>
  </section>
);

/** Returns the API's path of the request's webhook. */
const one = (request: PageRequest): string => `/v1/webhooks/${encodeURIComponent(request.param('id'))}`;

const onePage = async (request: PageRequest, formError: FormError | null) => {
  const status = request.query('status');
  const page = pageParam(request);
  const filter = status ? `&status=${encodeURIComponent(status)}` : '';
  const [hooks, sent] = await Promise.all([
    request.api({ path: '/v1/webhooks', answer: WebhookList }),
    request.api({
      path: `${one(request)}/deliveries?limit=${LOG_SHOWN}&page=${page}${filter}`,
      answer: Deliveries,
    }),
  ]);
  if (!hooks.ok) return hooks;
  if (!sent.ok) return sent;
  const hook = hooks.value.data.find(({ id }) => String(id) === request.param('id'));
  if (!hook) return asTrouble('Webhook not found.', 404);
  const here = `${root}/${hook.id}`;
  const f = { request, trouble: formError };
  const body = (
    <>
      <Facts
        of={{
          Status: <HookStatus hook={hook} />,
          Secret: <code>{hook.secret_preview}</code>,
          Registered: <When at={hook.created_at} />,
        }}
      />
      <Log request={request} here={here} sent={sent.value} status={status} />
      <div class="beside">
        <section aria-labelledby="change">
          <h2 id="change">Change</h2>
          <Form request={request} action={here} submit="Save">
            <Fields f={f} known={hook} />
          </Form>
        </section>
        <Actions f={f} here={here} />
      </div>
    </>
  );
  return { title: clip(hook.url), trail, body };
};

async function create(request: PageRequest, body: z.output<typeof Registration>): Promise<Outcome> {
  const made = await request.api({
    method: 'POST',
    path: '/v1/webhooks',
    body,
    answer: WebhookWithSecret,
    once: request.sent._once?.[0],
  });
  return made.ok ? showSecret(made.value) : made;
}

const webhookPath = (request: PageRequest): string => `${root}/${encodeURIComponent(request.param('id'))}`;

async function change(request: PageRequest, body: z.output<typeof Registration>): Promise<Outcome> {
  const changed = await request.api({ method: 'PATCH', path: one(request), body });
  return changed.ok ? { to: webhookPath(request), note: 'saved' } : changed;
}

async function rotate(request: PageRequest): Promise<Outcome> {
  const rotated = await request.api({
    method: 'POST',
    path: `${one(request)}/rotate-secret`,
    answer: WebhookWithSecret,
    once: request.sent._once?.[0],
  });
  return rotated.ok ? showSecret(rotated.value) : rotated;
}

async function remove(request: PageRequest): Promise<Outcome> {
  const removed = await request.api({ method: 'DELETE', path: one(request) });
  return removed.ok ? { to: root, note: 'removed' } : removed;
}

async function ping(request: PageRequest): Promise<Outcome> {
  const once = request.sent._once?.[0];
  const sent = await request.api({ method: 'POST', path: `${one(request)}/ping`, once });
  return sent.ok ? { to: webhookPath(request), note: 'sent' } : sent;
}

async function replayOne(request: PageRequest): Promise<Outcome> {
  const delivery = encodeURIComponent(request.param('delivery'));
  const path = `${one(request)}/deliveries/${delivery}/replay`;
  const sent = await request.api({ method: 'POST', path, once: request.sent._once?.[0] });
  return sent.ok ? { to: webhookPath(request), note: 'replayed' } : sent;
}

const Range = z.object({ from: instant, to: instant });

async function replay(request: PageRequest, body: z.output<typeof Range>): Promise<Outcome> {
  const path = `${one(request)}/replay`;
  const sent = await request.api({ method: 'POST', path, body, once: request.sent._once?.[0] });
  return sent.ok ? { to: webhookPath(request), note: 'replayed' } : sent;
}

const at = (path: string) => ({ path: `/developer${path}`, audience: 'developer' }) as const;
const emptyForm = z.object({});

/** The pages that manage webhooks, show deliveries and replay events. */
export const webhookPages: readonly Page[] = [
  getPage(at('/webhooks'), listPage),
  getPage(at('/new-webhook'), newPage),
  form({ ...at('/new-webhook'), form: Registration }, newPage, create),
  getPage(at('/webhooks/:id'), onePage),
  form({ ...at('/webhooks/:id'), form: Registration }, onePage, change),
  form({ ...at('/webhooks/:id/rotate-secret'), form: emptyForm }, onePage, rotate),
  form({ ...at('/webhooks/:id/delete'), form: emptyForm }, onePage, remove),
  form({ ...at('/webhooks/:id/ping'), form: emptyForm }, onePage, ping),
  form({ ...at('/webhooks/:id/replay'), form: Range }, onePage, replay),
  form({ ...at('/webhooks/:id/deliveries/:delivery/replay'), form: emptyForm }, onePage, replayOne),
];
