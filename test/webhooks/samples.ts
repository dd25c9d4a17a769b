import { env } from 'cloudflare:workers';
import type { Samples } from '../support/contract/sample.ts';
import type { World } from '../support/world.ts';

/** Paused, so that nothing is sent anywhere. */
const newWebhook = { url: 'https://shop.example.com/hooks', events: ['product.updated'], status: 'paused' };

const webhook = async (shop: World) => ({ id: (await shop.post('/webhooks', newWebhook)).body.id });
const delivery = async (shop: World) => {
  const { id } = await webhook(shop);
  return { id, delivery_id: (await shop.post(`/webhooks/${id}/ping`)).body.id };
};
/** Records a dead letter of a tenant; returns its id. */
export async function deadLetter({ tenantId }: World): Promise<string> {
  const id = crypto.randomUUID();
  const body = JSON.stringify({ tenantId, importId: 'imp_none' });
  await env.DB.prepare(
    'INSERT INTO dead_letters (id, body, queue, sent_at, recorded_at) VALUES (?, ?, ?, 0, 0)',
  )
    .bind(id, body, 'imports')
    .run();
  return id;
}

const foreign = 'webhook_not_found';

export const samples: Samples = {
  'GET /admin/v1/dead-letters': {},
  'POST /admin/v1/dead-letters/{letter_id}/retry': {
    params: async (shop) => ({ letter_id: await deadLetter(shop) }),
  },
  'POST /admin/v1/dead-letters/retry': { body: { queue: 'imports' } },
  'GET /v1/events': { query: '?limit=1' },
  'GET /v1/webhooks': {},
  'POST /v1/webhooks': { body: newWebhook },
  'GET /v1/webhooks/{id}': { params: webhook, foreign },
  'PATCH /v1/webhooks/{id}': { params: webhook, body: { events: ['stock.changed'] }, foreign },
  'DELETE /v1/webhooks/{id}': { params: webhook, foreign },
  'POST /v1/webhooks/{id}/rotate-secret': { params: webhook, foreign },
  'POST /v1/webhooks/{id}/ping': { params: webhook, foreign },
  'GET /v1/webhooks/{id}/deliveries': { params: webhook, foreign },
  'GET /v1/webhooks/{id}/deliveries/{delivery_id}': { params: delivery, foreign },
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay': { params: delivery, foreign },
  'POST /v1/webhooks/{id}/replay': {
    params: webhook,
    body: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
    foreign,
  },
};
