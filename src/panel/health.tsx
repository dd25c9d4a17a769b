import { iso } from '../kernel/clock.ts';
import { database } from '../kernel/database.ts';
import { deliveryOverview } from '../webhooks/index.ts';
import type { Visit } from './page.ts';
import { clip, Facts, Table, When } from './parts.tsx';

/** The latest so many of each kind are shown. */
const SHOWN = 20;

const WHY: Readonly<Record<string, string>> = {
  gone: 'its receiver said that it is gone (410)',
  failing: 'it failed for five days',
};

/** How delivery is doing over all tenants. */
export const healthPage = async (visit: Visit) => {
  const health = await deliveryOverview(database(visit.env));
  const counted = (status: string) => health.states.find((row) => row.status === status)?.webhooks ?? 0;
  const body = (
    <>
      <Facts
        of={{
          'Events the queues were not told of yet': health.waiting,
          'The oldest of them': <When at={health.oldest === null ? null : iso(health.oldest)} />,
          'Dead letters': health.dead,
          Webhooks: `${counted('active')} active, ${counted('paused')} paused`,
        }}
      />
      <h2>Webhooks that paused themselves</h2>
      <Table
        label="Webhooks that paused themselves"
        head={['Tenant', 'Webhook', 'URL', 'Why']}
        rows={health.failing
          .slice(0, SHOWN)
          .map((hook) => [
            <a href={`/admin/tenants/${hook.slug}`}>{hook.slug}</a>,
            hook.id,
            clip(hook.url, 120),
            WHY[hook.reason ?? ''] ?? hook.reason ?? '',
          ])}
        empty={<p>None: every receiver that should answer does.</p>}
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
