import type { Samples } from '../support/sample.ts';
import type { World } from '../support/world.ts';

/** Paused, so that nothing is sent anywhere. */
const newWebhook = { url: 'https://shop.example.com/hooks', events: ['product.updated'], status: 'paused' };

const webhook = async (shop: World) => ({ id: (await shop.post('/webhooks', newWebhook)).body.id });
const delivery = async (shop: World) => {
  const { id } = await webhook(shop);
  return { id, delivery_id: (await shop.post(`/webhooks/${id}/ping`)).body.id };
};
const foreign = 'webhook_not_found';

export const samples: Samples = {
  'GET /v1/webhooks': {},
  'POST /v1/webhooks': { body: newWebhook },
  'PATCH /v1/webhooks/{id}': { params: webhook, body: { events: ['stock.changed'] }, foreign },
  'DELETE /v1/webhooks/{id}': { params: webhook, foreign },
  'POST /v1/webhooks/{id}/rotate-secret': { params: webhook, foreign },
  'POST /v1/webhooks/{id}/ping': { params: webhook, foreign },
  'GET /v1/webhooks/{id}/deliveries': { params: webhook, foreign },
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay': { params: delivery, foreign },
  'POST /v1/webhooks/{id}/replay': {
    params: webhook,
    body: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
    foreign,
  },
};
