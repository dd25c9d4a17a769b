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

type Hook = Awaited<ReturnType<typeof deliveryOverview>>['failing'][number];

/** Whose a webhook is, which, and where it leads. */
const named = ({ slug, id, url }: Hook): Child[] => [
  <a href={`/admin/tenants/${slug}`}>{slug}</a>,
  id,
  clip(url, 60),
];

/** How delivery is doing over all tenants. */
export const healthPage = async (visit: Visit) => {
  const health = await deliveryOverview(database(visit.env));
  const counted = (status: string) => health.states.find((row) => row.status === status);
  const body = (
    <>
      <Facts
        of={{
          'Events the queues were not told of yet': health.waiting,
          'The oldest of them': <When at={health.oldest === null ? null : iso(health.oldest)} />,
          'Dead letters': health.dead,
          Webhooks: `${counted('active')?.webhooks ?? 0} active, ${counted('paused')?.webhooks ?? 0} paused`,
          'Of the active ones fail': counted('active')?.failing ?? 0,
        }}
      />
      <h2>Webhooks that fail</h2>
      <Table
        label="Webhooks that fail"
        head={['Tenant', 'Webhook', 'URL', 'Since', 'Failures', 'Last error']}
        figures={[4]}
        rows={health.failing
          .slice(0, SHOWN)
          .map((hook) => [
            ...named(hook),
            <When at={isoOrNull(hook.failingSince)} />,
            hook.failures,
            hook.lastError,
          ])}
        empty={<p>None: every receiver has taken what it was sent last.</p>}
      />
      <h2>Webhooks that paused themselves</h2>
      <Table
        label="Webhooks that paused themselves"
        head={['Tenant', 'Webhook', 'URL', 'Why']}
        rows={health.paused
          .slice(0, SHOWN)
          .map((hook) => [...named(hook), WHY[hook.reason ?? ''] ?? hook.reason ?? ''])}
        empty={<p>None.</p>}
      />
      <h2>Dead letters</h2>
      <Table
        label="Dead letters"
        head={['Recorded', 'Sent', 'Message']}
        rows={health.letters
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
  return { title: 'Health', body };
};
