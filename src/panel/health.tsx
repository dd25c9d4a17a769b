import { iso } from '../kernel/clock.ts';
import { database } from '../kernel/database.ts';
import { deliveryOverview } from '../webhooks/index.ts';
import type { Visit } from './page.ts';
import { Table, When } from './parts.tsx';

/** How delivery is doing over all tenants. */
export const healthPage = async (visit: Visit) => {
  const health = await deliveryOverview(database(visit.env));
  const counted = (status: string) => health.states.find((row) => row.status === status)?.webhooks ?? 0;
  const body = (
    <>
      <dl class="facts">
        <div>
          <dt>Events the queues were not told of yet</dt>
          <dd>{health.waiting}</dd>
        </div>
        <div>
          <dt>The oldest of them</dt>
          <dd>
            <When at={health.oldest === null ? null : iso(health.oldest)} />
          </dd>
        </div>
        <div>
          <dt>Dead letters</dt>
          <dd>{health.dead}</dd>
        </div>
        <div>
          <dt>Webhooks</dt>
          <dd>
            {counted('active')} active, {counted('paused')} paused
          </dd>
        </div>
      </dl>
      <h2>Webhooks that paused themselves</h2>
      <Table
        label="Webhooks that paused themselves"
        head={['Tenant', 'Webhook', 'URL', 'Why']}
        rows={health.failing.map((hook) => [
          <a href={`/admin/tenants/${hook.slug}`}>{hook.slug}</a>,
          hook.id,
          hook.url,
          hook.reason ?? '',
        ])}
      />
      <h2>Dead letters</h2>
      <Table
        label="Dead letters"
        head={['Recorded', 'Sent', 'Message']}
        rows={health.letters.map((letter) => [
          <When at={iso(letter.recordedAt)} />,
          <When at={iso(letter.sentAt)} />,
          <code>{JSON.stringify(letter.body)}</code>,
        ])}
      />
    </>
  );
  return { title: 'Health', body };
};
