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
  type Page,
  type PageRequest,
  Pages,
  pageAsked,
  pageOf,
  pageParam,
  State,
  Table,
  When,
} from '../../web/index.ts';
import { Deliveries, type Webhook } from '../../webhooks/index.ts';
import { LOG_SHOWN, Log } from './deliveries.tsx';
import { change, create, one, ping, Registration, replayOne, WEBHOOKS_PATH } from './webhook-actions.tsx';
import { WebhookList, webhookQuestions } from './webhook-questions.tsx';

type Hook = z.output<typeof Webhook>;

/** Webhooks on one page of the list. */
const PAGE_SIZE = 20;
const STATUSES = [
  ['active', 'Active'],
  ['paused', 'Paused: events are held for 30 days'],
] as const;

const ORDERS = [
  ['false', 'Events are sent as they come'],
  ['true', 'Events of one resource wait for the one before'],
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
          <a href={`${WEBHOOKS_PATH}/${hook.id}`}>{clip(hook.url)}</a>,
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
      <Pages meta={meta} href={(to) => `${WEBHOOKS_PATH}?page=${to}`} />
    </>
  );
  return { title: 'Webhooks', body, action: ['/developer/new-webhook', 'New webhook'] as const };
};

const Fields = ({ f, known }: { f: Filled; known: Pick<Hook, 'url' | 'events' | 'status' | 'ordered'> }) => (
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
    <Choice f={f} name="ordered" label="Order" options={ORDERS} value={String(known.ordered)} />
  </>
);

const trail = [[WEBHOOKS_PATH, 'Webhooks']] as const;

const newPage = async (request: PageRequest, formError: FormError | null) => ({
  title: 'New webhook',
  trail,
  body: (
    <Form request={request} action="/developer/new-webhook" submit="Register and show secret">
      <Fields
        f={{ request, trouble: formError }}
        known={{ url: '', events: [], status: 'active', ordered: false }}
      />
    </Form>
  ),
});

const Actions = ({ request, here }: { request: PageRequest; here: string }) => (
  <section aria-labelledby="actions">
    <h2 id="actions">Test, replay and secret</h2>
    <div class="actions">
      <Form request={request} action={`${here}/ping`} submit="Send a test event" quiet />
    </div>
    <ul>
      <li>
        <a href={`${here}/replay`}>Replay the events of a time range</a>
      </li>
      <li>
        <a href={`${here}/rotate-secret`}>Make a new secret</a>
      </li>
      <li>
        <a href={`${here}/delete`}>Delete this webhook</a>
      </li>
    </ul>
  </section>
);

const About = ({ hook }: { readonly hook: z.infer<typeof WebhookList>['data'][number] }) => (
  <Facts
    of={{
      Status: <HookStatus hook={hook} />,
      Secret: <code>{hook.secret_preview}</code>,
      Filter: hook.filter ? <code>{JSON.stringify(hook.filter)}</code> : 'none: all its events',
      Registered: <When at={hook.created_at} />,
    }}
  />
);

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
  const here = `${WEBHOOKS_PATH}/${hook.id}`;
  const f = { request, trouble: formError };
  const body = (
    <>
      <About hook={hook} />
      <Log request={request} here={here} sent={sent.value} status={status} />
      <div class="beside">
        <section aria-labelledby="change">
          <h2 id="change">Change</h2>
          <Form request={request} action={here} submit="Save">
            <Fields f={f} known={hook} />
          </Form>
        </section>
        <Actions request={request} here={here} />
      </div>
    </>
  );
  return { title: clip(hook.url), trail, body };
};

const at = (path: string) => ({ path: `/developer${path}`, audience: 'developer' }) as const;
const emptyForm = z.object({});

/** The pages that manage webhooks, show deliveries and replay events. */
export const webhookPages: readonly Page[] = [
  getPage(at('/webhooks'), listPage),
  getPage(at('/new-webhook'), newPage),
  form({ ...at('/new-webhook'), form: Registration }, newPage, create),
  getPage(at('/webhooks/:id'), onePage),
  form({ ...at('/webhooks/:id'), form: Registration }, onePage, change),
  ...webhookQuestions,
  form({ ...at('/webhooks/:id/ping'), form: emptyForm }, onePage, ping),
  form({ ...at('/webhooks/:id/deliveries/:delivery/replay'), form: emptyForm }, onePage, replayOne),
];
