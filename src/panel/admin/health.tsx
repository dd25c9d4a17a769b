import type { Child } from 'hono/jsx';
import { z } from 'zod';
import { DeadLettersRetried } from '../../events/index.ts';
import { iso, isoOrNull } from '../../kernel/core/clock.ts';
import { database } from '../../kernel/data/database.ts';
import {
  clip,
  Facts,
  Form,
  form,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  Table,
  When,
} from '../../web/index.ts';
import { deliveryOverview } from '../../webhooks/index.ts';

/** So many of each kind are shown. */
const SHOWN = 12;
/** Dead letters each have a form: fewer of them keep the page small. */
const LETTERS_SHOWN = 5;

const WHY: Readonly<Record<string, string>> = {
  gone: 'its receiver said that it is gone (410)',
  failing: 'it failed for five days',
};

type Health = Awaited<ReturnType<typeof deliveryOverview>>;

/** Whose a webhook is, which, and where it leads. */
const named = ({ slug, id, url }: Health['failing'][number]): Child[] => [
  <a href={`/admin/tenants/${slug}`}>{slug}</a>,
  id,
  clip(url, 60),
];

const Failing = ({ failing }: Health) => (
  <>
    <h2>Webhooks that fail</h2>
    <Table
      label="Webhooks that fail"
      head={['Tenant', 'Webhook', 'URL', 'Since', 'Failures', 'Last error']}
      figures={[4]}
      rows={failing
        .slice(0, SHOWN)
        .map((hook) => [
          ...named(hook),
          <When at={isoOrNull(hook.failingSince)} />,
          hook.failures,
          <span class="together">{hook.lastError}</span>,
        ])}
      empty={<p>None: every receiver has taken what it was sent last.</p>}
    />
  </>
);

const Paused = ({ paused }: Health) => (
  <>
    <h2>Webhooks that paused themselves</h2>
    <Table
      label="Webhooks that paused themselves"
      head={['Tenant', 'Webhook', 'URL', 'Why']}
      rows={paused
        .slice(0, SHOWN)
        .map((hook) => [...named(hook), WHY[hook.reason ?? ''] ?? hook.reason ?? ''])}
      empty={<p>None.</p>}
    />
  </>
);

const LETTERS = '/admin/health/dead-letters';
const LETTERS_API = '/admin/v1/dead-letters';

/** The dead letters of one queue, and a button that sends the next of them again. */
const OfQueue = ({ visit, dead }: { visit: PageRequest; dead: Health['dead'][number] }) =>
  dead.queue && (
    <Form
      visit={visit}
      action={`${LETTERS}/retry`}
      submit={`Send all ${dead.letters} of ${dead.queue} again`}
      quiet
    >
      <input type="hidden" name="queue" value={dead.queue} />
    </Form>
  );

const DeadLetters = ({ visit, health }: { visit: PageRequest; health: Health }) => (
  <>
    <h2>Dead letters</h2>
    <div class="actions">
      {health.dead.map((dead) => (
        <OfQueue visit={visit} dead={dead} />
      ))}
    </div>
    <Table
      label="Dead letters"
      head={['Recorded', 'Sent', 'Queue', 'Message', 'Attempts', 'Error', 'Again']}
      figures={[4]}
      rows={health.letters
        .slice(0, LETTERS_SHOWN)
        .map(({ id, recordedAt, sentAt, queue, body, attempts, error }) => [
          <When at={iso(recordedAt)} />,
          <When at={iso(sentAt)} />,
          queue ?? 'unknown',
          <code>{clip(JSON.stringify(body), 120)}</code>,
          attempts ?? '',
          clip(error ?? '', 120),
          queue && (
            <Form
              visit={visit}
              action={`${LETTERS}/${encodeURIComponent(id)}/retry`}
              submit="Send again"
              about={id}
              quiet
            />
          ),
        ])}
      empty={<p>None: no queue had to give up on a message.</p>}
    />
    {health.letters.length > LETTERS_SHOWN && (
      <p class="hint">
        These are the latest; <code>GET {LETTERS_API}</code> lists all.
      </p>
    )}
  </>
);

/** How delivery is doing over all tenants. */
const healthPage = async (visit: PageRequest) => {
  const health = await deliveryOverview(database(visit.env));
  const counted = (status: string) => health.states.find((row) => row.status === status);
  const body = (
    <>
      <Facts
        of={{
          'Events the queues were not told of yet': health.waiting,
          'The oldest of them': <When at={isoOrNull(health.oldest)} />,
          'Dead letters': health.dead.reduce((sum, { letters }) => sum + letters, 0),
          Webhooks: `${counted('active')?.webhooks ?? 0} active, ${counted('paused')?.webhooks ?? 0} paused`,
          'Of the active ones fail': counted('active')?.failing ?? 0,
        }}
      />
      <Failing {...health} />
      <Paused {...health} />
      <DeadLetters visit={visit} health={health} />
    </>
  );
  return { title: 'Health', body };
};

async function retryOne(visit: PageRequest): Promise<Outcome> {
  const path = `${LETTERS_API}/${encodeURIComponent(visit.param('letter'))}/retry`;
  const sent = await visit.platform('/', { method: 'POST', path, once: visit.sent._once?.[0] });
  return sent.ok ? { to: '/admin/health', note: 'resent' } : sent;
}

const OfOneQueue = z.object({ queue: z.string() });

async function retryAll(visit: PageRequest, body: z.output<typeof OfOneQueue>): Promise<Outcome> {
  const sent = await visit.platform('/', {
    method: 'POST',
    path: `${LETTERS_API}/retry`,
    body,
    once: visit.sent._once?.[0],
    answer: DeadLettersRetried,
  });
  if (!sent.ok) return sent;
  return { to: '/admin/health', note: sent.value.remaining > 0 ? 'some_resent' : 'resent' };
}

const at = <Path extends `/admin/health${string}`>(path: Path) => ({ path, audience: 'admin' }) as const;

/** How delivery is doing, and dead letters sent again. */
export const healthPages: readonly Page[] = [
  getPage(at('/admin/health'), healthPage),
  form({ ...at('/admin/health/dead-letters/retry'), form: OfOneQueue }, healthPage, retryAll),
  form({ ...at('/admin/health/dead-letters/:letter/retry'), form: z.object({}) }, healthPage, retryOne),
];
