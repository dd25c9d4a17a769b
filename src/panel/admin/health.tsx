import type { Child } from 'hono/jsx';
import { z } from 'zod';
import { DeadLettersRetried } from '../../events/index.ts';
import { iso, isoOrNull } from '../../kernel/core/clock.ts';
import { listShards, type ShardState } from '../../kernel/shards/placements.ts';
import {
  clip,
  Facts,
  Form,
  form,
  getPage,
  type Outcome,
  onceOf,
  type Page,
  type PageRequest,
  Table,
  When,
} from '../../web/index.ts';
import { deliveryOverview } from '../../webhooks/index.ts';
import { confirmPages } from '../confirm.tsx';
import { countOf } from '../count-of.ts';
import { PAUSE_REASONS } from '../pause-reasons.ts';
import { at } from './at.ts';

const MAX_WEBHOOKS_SHOWN = 10;
/** Dead letters shown. Lower than for webhooks, because each row has a form. */
const MAX_LETTERS_SHOWN = 5;

type Health = Awaited<ReturnType<typeof deliveryOverview>>;

/** The cells that identify a webhook: tenant, id and URL. */
const identityCells = ({ slug, id, url }: Health['failing'][number]): Child[] => [
  <a href={`/admin/tenants/${slug}`}>{slug}</a>,
  id,
  clip(url, 60),
];

const Failing = ({ failing }: Health) => (
  <>
    <h2>Failing webhooks</h2>
    <Table
      label="Failing webhooks"
      head={['Tenant', 'Webhook', 'URL', 'Since', 'Failures', 'Last error']}
      figures={[4]}
      rows={failing
        .slice(0, MAX_WEBHOOKS_SHOWN)
        .map((hook) => [
          ...identityCells(hook),
          <When at={isoOrNull(hook.failingSince)} />,
          hook.failures,
          <span class="together">{hook.lastError}</span>,
        ])}
      empty={<p>None. Every webhook's last delivery succeeded.</p>}
    />
  </>
);

const Paused = ({ paused }: Health) => (
  <>
    <h2>Automatically paused webhooks</h2>
    <Table
      label="Automatically paused webhooks"
      head={['Tenant', 'Webhook', 'URL', 'Reason']}
      rows={paused
        .slice(0, MAX_WEBHOOKS_SHOWN)
        .map((hook) => [...identityCells(hook), PAUSE_REASONS[hook.reason ?? ''] ?? hook.reason ?? ''])}
      empty={<p>None.</p>}
    />
  </>
);

const LETTERS = '/admin/health/dead-letters';
const LETTERS_API = '/admin/v1/dead-letters';

/** The link to the page that retries the dead letters of one queue. */
const RetryQueue = ({ dead }: { dead: Health['dead'][number] }) =>
  dead.queue && (
    <a href={`${LETTERS}/retry?queue=${encodeURIComponent(dead.queue)}`}>
      Retry all {dead.letters} of {dead.queue}
    </a>
  );

const RetryLetter = ({ request, id }: { request: PageRequest; id: string }) => (
  <Form
    request={request}
    action={`${LETTERS}/${encodeURIComponent(id)}/retry`}
    submit="Retry"
    about={id}
    quiet
  />
);

const DeadLetters = ({ request, health }: { request: PageRequest; health: Health }) => (
  <>
    <h2>Dead letters</h2>
    {health.dead.length > 0 && (
      <div class="actions">
        {health.dead.map((dead) => (
          <RetryQueue dead={dead} />
        ))}
      </div>
    )}
    <Table
      label="Dead letters"
      head={['Recorded', 'Sent', 'Queue', 'Message', 'Attempts', 'Error', 'Retry']}
      figures={[4]}
      rows={health.letters
        .slice(0, MAX_LETTERS_SHOWN)
        .map(({ id, recordedAt, sentAt, queue, body, attempts, error }) => [
          <When at={iso(recordedAt)} />,
          <When at={iso(sentAt)} />,
          queue ?? 'unknown',
          <code>{clip(JSON.stringify(body), 120)}</code>,
          attempts ?? '',
          clip(error ?? '', 120),
          queue && <RetryLetter request={request} id={id} />,
        ])}
      empty={<p>None. No message has used up its retries.</p>}
    />
    {health.letters.length > MAX_LETTERS_SHOWN && (
      <p class="hint">
        Only the latest are shown. <code>GET {LETTERS_API}</code> lists all of them.
      </p>
    )}
  </>
);

/** The shards, with the size and load that new tenants are placed by. */
const Shards = ({ of, unavailable }: { of: readonly ShardState[]; unavailable: readonly string[] }) => (
  <>
    <h2>Shards</h2>
    <Table
      label="Shards"
      head={['Shard', 'Tenants', 'Size (MiB)', 'Events in a minute', 'Measured', 'State']}
      figures={[1, 2, 3]}
      rows={of.map(({ name, tenants, bytes, events, measuredAt }) => [
        name,
        tenants,
        Math.ceil(bytes / 1024 ** 2),
        events,
        <When at={isoOrNull(measuredAt)} />,
        unavailable.includes(name) ? "can't be reached" : 'ok',
      ])}
      empty={<p>None.</p>}
    />
  </>
);

/** The state of event delivery over all tenants, and of the shards. */
const healthPage = async (request: PageRequest) => {
  const [health, shards] = await Promise.all([deliveryOverview(request.env), listShards(request.env)]);
  const countOf = (status: string) => health.states.find((row) => row.status === status);
  const body = (
    <>
      <Facts
        of={{
          'Events waiting to be queued': health.waiting,
          'Oldest waiting event': health.oldest === null ? 'none' : <When at={iso(health.oldest)} />,
          'Dead letters': health.dead.reduce((sum, { letters }) => sum + letters, 0),
          Webhooks: `${countOf('active')?.webhooks ?? 0} active, ${countOf('paused')?.webhooks ?? 0} paused`,
          'Active webhooks that are failing': countOf('active')?.failing ?? 0,
        }}
      />
      <Shards of={shards} unavailable={health.unavailable} />
      <Failing {...health} />
      <Paused {...health} />
      <DeadLetters request={request} health={health} />
    </>
  );
  return { title: 'Health', body };
};

async function retryOne(request: PageRequest): Promise<Outcome> {
  const path = `${LETTERS_API}/${encodeURIComponent(request.param('letter'))}/retry`;
  const sent = await request.platform('/', { method: 'POST', path, once: onceOf(request) });
  return sent.ok ? { to: '/admin/health', note: 'resent' } : sent;
}

const QueueForm = z.object({ queue: z.string() });

const retryQuestion = async (request: PageRequest) => {
  const { dead } = await deliveryOverview(request.env);
  const queue = request.sent.queue?.[0] ?? request.query('queue');
  const letters = dead.find((one) => one.queue === queue)?.letters ?? 0;
  return {
    title: `Retry the dead letters of ${clip(queue, 60) || 'a queue'}?`,
    trail: [['/admin/health', 'Health']] as const,
    body: (
      <p>
        {countOf(letters, 'message')} failed for good. At most 100 are sent to the queue again, the oldest
        first; shops and their receivers may get events that they got before, with the same ids.
      </p>
    ),
    fields: <input type="hidden" name="queue" value={queue} />,
    submit: 'Retry messages',
    keep: ['/admin/health', 'Leave them'] as const,
  };
};

async function retryAll(request: PageRequest, body: z.output<typeof QueueForm>): Promise<Outcome> {
  const sent = await request.platform('/', {
    method: 'POST',
    path: `${LETTERS_API}/retry`,
    body,
    once: onceOf(request),
    answer: DeadLettersRetried,
  });
  if (!sent.ok) return sent;
  return { to: '/admin/health', note: sent.value.remaining > 0 ? 'some_resent' : 'resent' };
}

/** The delivery health page, and the forms that retry dead letters. */
export const healthPages: readonly Page[] = [
  getPage(at('/admin/health'), healthPage),
  ...confirmPages({ ...at('/admin/health/dead-letters/retry'), form: QueueForm }, retryQuestion, retryAll),
  form({ ...at('/admin/health/dead-letters/:letter/retry'), form: z.object({}) }, healthPage, retryOne),
];
