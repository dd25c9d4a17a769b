import { z } from 'zod';
import { DELIVERY_STATUSES, Deliveries, EVENT_TYPES, Webhook, WebhookWithSecret } from '../webhooks/index.ts';
import type { Trouble } from './api.ts';
import { Checks, Choice, Field, type Filled, Form } from './form.tsx';
import { form, look, type Outcome, type Page, trouble, type Visit } from './page.ts';
import { Pages, Secret, State, Table, When } from './parts.tsx';
import { instant, list } from './wire.ts';

const WebhookList = z.object({ data: z.array(Webhook) });
type Hook = z.output<typeof Webhook>;
type Sent = z.output<typeof Deliveries>;

const root = '/developer/webhooks';
const STATUSES = [
  ['active', 'Active'],
  ['paused', 'Paused: what happens is held for 30 days'],
] as const;

const listPage = async (visit: Visit) => {
  const answer = await visit.api({ path: '/v1/webhooks', answer: WebhookList });
  if (!answer.ok) return answer;
  const rows = answer.value.data.map((hook) => [
    <a href={`${root}/${hook.id}`}>{hook.url}</a>,
    hook.events.join(', '),
    <>
      <State is={hook.status} />
      {hook.paused_reason && hook.paused_reason !== 'requested' && ` (${hook.paused_reason})`}
    </>,
  ]);
  const body = (
    <>
      <Table label="Webhooks" head={['URL', 'Events', 'Status']} rows={rows} />
      <p>
        <a class="button" href="/developer/new-webhook">
          New webhook
        </a>
      </p>
    </>
  );
  return { title: 'Webhooks', body };
};

const Fields = ({ f, known }: { f: Filled; known: Pick<Hook, 'url' | 'events' | 'status'> }) => (
  <>
    <Field
      f={f}
      name="url"
      label="URL"
      type="url"
      value={known.url}
      hint="https, on a public host"
      required
      attributes={{ maxlength: 2048 }}
    />
    <Checks f={f} name="events" legend="Events" options={EVENT_TYPES} checked={known.events} />
    <Choice f={f} name="status" label="Status" options={STATUSES} value={known.status} />
  </>
);

const newPage = async (visit: Visit, wrong: Trouble | null) => ({
  title: 'New webhook',
  body: (
    <Form visit={visit} action="/developer/new-webhook" submit="Register and show secret">
      <Fields f={{ visit, trouble: wrong }} known={{ url: '', events: [], status: 'active' }} />
    </Form>
  ),
});

const Registration = z.object({ url: z.string().trim(), events: list, status: z.string() });

const withSecret = ({ id, url, secret }: z.output<typeof WebhookWithSecret>): Outcome => ({
  view: {
    title: 'Signing secret',
    body: (
      <>
        <p>Deliveries to {url} are signed with it (Standard Webhooks).</p>
        <Secret label="Secret" value={secret} />
        <p>
          <a class="button" href={`${root}/${id}`}>
            To the webhook
          </a>
        </p>
      </>
    ),
  },
});

async function create(visit: Visit, body: z.output<typeof Registration>): Promise<Outcome> {
  const made = await visit.api({
    ...{ method: 'POST', path: '/v1/webhooks', body, answer: WebhookWithSecret },
    once: visit.sent._once?.[0],
  });
  return made.ok ? withSecret(made.value) : made;
}

/** The API's path of the webhook that a visit is about. */
const one = (visit: Visit): string => `/v1/webhooks/${encodeURIComponent(visit.param('id'))}`;

/** Deliveries, newest first, each with a button that sends it again. */
const Log = ({ visit, here, sent, status }: { visit: Visit; here: string; sent: Sent; status: string }) => (
  <section aria-labelledby="deliveries">
    <h2 id="deliveries">Deliveries</h2>
    <form class="search" action={here}>
      <select name="status" aria-label="Status">
        <option value="">All</option>
        {DELIVERY_STATUSES.map((name) => (
          <option value={name} selected={name === status}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit">Filter</button>
    </form>
    <Table
      label="List of deliveries"
      head={['Event', 'Status', 'Attempts', 'Last answer', 'Happened', 'Again']}
      rows={sent.data.map((delivery) => [
        <>
          {delivery.event}
          <br />
          <code>{delivery.event_id}</code>
        </>,
        <State is={delivery.status} />,
        delivery.attempts,
        delivery.response_status ?? delivery.log.at(-1)?.error ?? 'none',
        <When at={delivery.occurred_at} />,
        <Form
          visit={visit}
          action={`${here}/deliveries/${delivery.id}/replay`}
          submit="Send again"
          about={`${delivery.event} ${delivery.event_id}`}
          quiet
        />,
      ])}
    />
    <Pages meta={sent.meta} href={(to) => `${here}?page=${to}&status=${encodeURIComponent(status)}`} />
  </section>
);

const Actions = ({ f, here }: { f: Filled; here: string }) => (
  <section aria-labelledby="actions">
    <h2 id="actions">Test, replay, secret</h2>
    <p>
      <Form visit={f.visit} action={`${here}/ping`} submit="Send a test event" quiet />{' '}
      <Form visit={f.visit} action={`${here}/rotate-secret`} submit="New secret" quiet />{' '}
      <Form visit={f.visit} action={`${here}/delete`} submit="Delete webhook" quiet danger />
    </p>
    <Form visit={f.visit} action={`${here}/replay`} submit="Send everything again">
      <p>Whatever happened in a span of time is sent again under the same id, held or not.</p>
      <Field f={f} name="from" label="From (UTC)" type="datetime-local" required />
      <Field f={f} name="to" label="To (UTC)" type="datetime-local" required />
    </Form>
  </section>
);

const onePage = async (visit: Visit, wrong: Trouble | null) => {
  const status = visit.query('status');
  const page = encodeURIComponent(visit.query('page') || '1');
  const filter = status ? `&status=${encodeURIComponent(status)}` : '';
  const [hooks, sent] = await Promise.all([
    visit.api({ path: '/v1/webhooks', answer: WebhookList }),
    visit.api({ path: `${one(visit)}/deliveries?page=${page}${filter}`, answer: Deliveries }),
  ]);
  if (!hooks.ok) return hooks;
  if (!sent.ok) return sent;
  const hook = hooks.value.data.find(({ id }) => String(id) === visit.param('id'));
  if (!hook) return trouble('There is no such webhook.', 404);
  const here = `${root}/${hook.id}`;
  const f = { visit, trouble: wrong };
  const body = (
    <>
      <p>
        <State is={hook.status} /> Secret <code>{hook.secret_preview}</code>
      </p>
      <Form visit={visit} action={here} submit="Save">
        <Fields f={f} known={hook} />
      </Form>
      <Log visit={visit} here={here} sent={sent.value} status={status} />
      <Actions f={f} here={here} />
    </>
  );
  return { title: 'Webhook', body };
};

const back = (visit: Visit): string => `${root}/${encodeURIComponent(visit.param('id'))}`;

async function change(visit: Visit, body: z.output<typeof Registration>): Promise<Outcome> {
  const changed = await visit.api({ method: 'PATCH', path: one(visit), body });
  return changed.ok ? { to: back(visit), note: 'saved' } : changed;
}

async function rotate(visit: Visit): Promise<Outcome> {
  const rotated = await visit.api({
    ...{ method: 'POST', path: `${one(visit)}/rotate-secret`, answer: WebhookWithSecret },
    once: visit.sent._once?.[0],
  });
  return rotated.ok ? withSecret(rotated.value) : rotated;
}

async function remove(visit: Visit): Promise<Outcome> {
  const removed = await visit.api({ method: 'DELETE', path: one(visit) });
  return removed.ok ? { to: root, note: 'removed' } : removed;
}

async function ping(visit: Visit): Promise<Outcome> {
  const once = visit.sent._once?.[0];
  const sent = await visit.api({ method: 'POST', path: `${one(visit)}/ping`, once });
  return sent.ok ? { to: back(visit), note: 'sent' } : sent;
}

async function replayOne(visit: Visit): Promise<Outcome> {
  const delivery = encodeURIComponent(visit.param('delivery'));
  const path = `${one(visit)}/deliveries/${delivery}/replay`;
  const sent = await visit.api({ method: 'POST', path, once: visit.sent._once?.[0] });
  return sent.ok ? { to: back(visit), note: 'replayed' } : sent;
}

const Range = z.object({ from: instant, to: instant });

async function replay(visit: Visit, body: z.output<typeof Range>): Promise<Outcome> {
  const path = `${one(visit)}/replay`;
  const sent = await visit.api({ method: 'POST', path, body, once: visit.sent._once?.[0] });
  return sent.ok ? { to: back(visit), note: 'replayed' } : sent;
}

const at = (path: string) => ({ path: `/developer${path}`, audience: 'developer' }) as const;
const nothing = z.object({});

/** Webhooks, their deliveries, and replays. */
export const webhookPages: readonly Page[] = [
  look(at('/webhooks'), listPage),
  look(at('/new-webhook'), newPage),
  form({ ...at('/new-webhook'), form: Registration }, newPage, create),
  look(at('/webhooks/:id'), onePage),
  form({ ...at('/webhooks/:id'), form: Registration }, onePage, change),
  form({ ...at('/webhooks/:id/rotate-secret'), form: nothing }, onePage, rotate),
  form({ ...at('/webhooks/:id/delete'), form: nothing }, onePage, remove),
  form({ ...at('/webhooks/:id/ping'), form: nothing }, onePage, ping),
  form({ ...at('/webhooks/:id/replay'), form: Range }, onePage, replay),
  form({ ...at('/webhooks/:id/deliveries/:delivery/replay'), form: nothing }, onePage, replayOne),
];
