import type { Child } from 'hono/jsx';
import { iso, isoOrNull } from '../kernel/clock.ts';
import { database } from '../kernel/database.ts';
import { deliveryOverview } from '../webhooks/index.ts';
import type { Visit } from './page.ts';
import { clip, Facts, Table, When } from './parts.tsx';

/** So many of each kind are shown. */
const SHOWN = 12;

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

const DeadLetters = ({ letters }: Health) => (
  <>
    <h2>Dead letters</h2>
    <Table
      label="Dead letters"
      head={['Recorded', 'Sent', 'Message']}
      rows={letters
        .slice(0, SHOWN)
        .map((letter) => [
          <When at={iso(letter.recordedAt)} />,
          <When at={iso(letter.sentAt)} />,
          <code>{clip(JSON.stringify(letter.body), 200)}</code>,
        ])}
      empty={<p>None: no queue had to give up on a message.</p>}
    />
  </>
);

/** How delivery is doing over all tenants. */
export const healthPage = async (visit: Visit) => {
  const health = await deliveryOverview(database(visit.env));
  const counted = (status: string) => health.states.find((row) => row.status === status);
  const body = (
    <>
      <Facts
        of={{
          'Events the queues were not told of yet': health.waiting,
          'The oldest of them': <When at={isoOrNull(health.oldest)} />,
          'Dead letters': health.dead,
          Webhooks: `${counted('active')?.webhooks ?? 0} active, ${counted('paused')?.webhooks ?? 0} paused`,
          'Of the active ones fail': counted('active')?.failing ?? 0,
        }}
      />
      <Failing {...health} />
      <Paused {...health} />
      <DeadLetters {...health} />
    </>
  );
  return { title: 'Health', body };
};
