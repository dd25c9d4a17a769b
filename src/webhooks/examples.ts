import type { z } from '@hono/zod-openapi';
import type { Example } from '../kernel/openapi/example.ts';
import type {
  Deliveries,
  Delivery,
  DeliveryParams,
  DeliveryQuery,
  DeliveryWithRequest,
  Replayed,
  ReplayRange,
  Webhook,
  WebhookCreate,
  WebhookParams,
  WebhookPatch,
  WebhookWithSecret,
} from './registrations/schemas.ts';

const params = { id: 1 } as const;
const url = 'https://shop.example.com/hooks/orders';

const webhook = (): z.output<typeof Webhook> => ({
  id: 1,
  url,
  events: ['order.paid', 'order.cancelled'],
  status: 'active',
  description: null,
  filter: null,
  ordered: false,
  secret_preview: 'whsec_****JvXC',
  paused_reason: null,
  created_at: '2026-11-23T11:20:24.371Z',
  updated_at: '2026-11-23T11:20:24.371Z',
});
const changed = (): z.output<typeof Webhook> => ({
  ...webhook(),
  events: [
    ...(['order.created', 'order.paid', 'order.cancelled', 'order.fulfilled', 'order.refunded'] as const),
    'order.tracking_changed',
    'stock.changed',
  ],
  ordered: true,
  updated_at: '2026-11-23T11:24:50.398Z',
});

const ping = (): z.output<typeof Delivery> => ({
  id: 1,
  event_id: 'evt_c41d7b02e9f86a35d07e1b9c',
  event: 'ping',
  status: 'pending',
  attempts: 0,
  response_status: null,
  delivered_at: null,
  log: [],
  occurred_at: '2026-11-23T11:30:24.481Z',
  created_at: '2026-11-23T11:30:24.482Z',
  next_attempt_at: '2026-11-23T11:30:24.482Z',
});
const delivered = (): z.output<typeof Delivery> => ({
  ...ping(),
  status: 'delivered',
  attempts: 1,
  response_status: 204,
  next_attempt_at: null,
  delivered_at: '2026-11-23T11:30:24.610Z',
  log: [
    {
      started_at: '2026-11-23T11:30:24.501Z',
      duration_ms: 109,
      response_status: 204,
      error: null,
      response_body: null,
    },
  ],
});

/** Examples of the endpoints for webhooks. */
export const webhookExamples = {
  list: (): Example<{ answer: z.ZodType<{ data: z.output<typeof Webhook>[] }> }> => ({
    answer: { data: [webhook()] },
  }),
  create: (): Example<{ body: typeof WebhookCreate; answer: typeof WebhookWithSecret }> => ({
    body: { url, events: ['order.paid', 'order.cancelled'] },
    answer: { ...webhook(), secret: 'whsec_RFcgH4FjRVetwpCE5cwL6o3MoIbU3DS2KaULZ1gFOAyfJvXC' },
  }),
  get: (): Example<{ params: typeof WebhookParams; answer: typeof Webhook }> => ({
    params,
    answer: changed(),
  }),
  patch: (): Example<{
    params: typeof WebhookParams;
    body: typeof WebhookPatch;
    answer: typeof Webhook;
  }> => ({
    params,
    body: {
      events: [
        ...(['order.created', 'order.paid', 'order.cancelled', 'order.fulfilled', 'order.refunded'] as const),
        'order.tracking_changed',
        'stock.changed',
      ],
      ordered: true,
    },
    answer: changed(),
  }),
  remove: (): Example<{ params: typeof WebhookParams }> => ({ params }),
  rotate: (): Example<{ params: typeof WebhookParams; answer: typeof WebhookWithSecret }> => ({
    params,
    answer: {
      ...changed(),
      secret_preview: 'whsec_****bZ2W',
      updated_at: '2026-11-23T15:00:26.071Z',
      secret: 'whsec_d5F754xLHJYMSsxSuwQGqpsVENNACXzvfVtnYPTy+bqmbZ2W',
    },
  }),
  ping: (): Example<{ params: typeof WebhookParams; answer: typeof Delivery }> => ({
    params,
    answer: ping(),
  }),
  deliveries: (): Example<{
    params: typeof WebhookParams;
    query: typeof DeliveryQuery;
    answer: typeof Deliveries;
  }> => ({
    params,
    query: { event: 'ping' },
    answer: {
      data: [delivered()],
      meta: { page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null },
    },
  }),
  getDelivery: (): Example<{ params: typeof DeliveryParams; answer: typeof DeliveryWithRequest }> => ({
    params: { id: 1, delivery_id: 1 },
    answer: {
      ...delivered(),
      request: {
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Storefront-Edge-Webhooks/1',
          'webhook-id': delivered().event_id,
        },
        body: JSON.stringify({
          id: delivered().event_id,
          type: 'ping',
          timestamp: '2026-11-23T11:30:24.481Z',
          data: { webhook_id: 1 },
        }),
      },
    },
  }),
  replayOne: (): Example<{ params: typeof DeliveryParams; answer: typeof Delivery }> => ({
    params: { id: 1, delivery_id: 1 },
    answer: { ...delivered(), status: 'pending', next_attempt_at: '2026-11-23T11:36:26.048Z' },
  }),
  replay: (): Example<{
    params: typeof WebhookParams;
    body: typeof ReplayRange;
    answer: typeof Replayed;
  }> => ({
    params,
    body: { from: '2026-11-01T00:00:00Z', to: '2030-12-31T23:59:59Z' },
    answer: { replayed: 1 },
  }),
};
