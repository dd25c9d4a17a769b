import type { Example } from '../kernel/openapi/example.ts';
import type { AuditQuery, AuditRecordList } from './schemas.ts';

/** An example of the log: an owner changed the tax rate, and an integration registered a webhook. */
export const auditExample = (): Example<{
  query: typeof AuditQuery;
  answer: typeof AuditRecordList;
}> => ({
  query: { from: '2026-11-01T00:00:00Z' },
  answer: {
    data: [
      {
        id: 412,
        at: '2026-11-22T09:14:03.120Z',
        action: 'updateSettings',
        actor: { kind: 'panel', id: 3, name: 'Ada' },
        subject: { kind: 'settings', id: null, name: null },
        changes: [{ field: 'tax.rate_percent', old: '19', new: '7' }],
        request_id: '0d4f7c7e-6a1b-4c3d-9e57-2f1a6c0b8d11',
      },
      {
        id: 409,
        at: '2026-11-21T16:40:55.001Z',
        action: 'createWebhook',
        actor: { kind: 'application', id: 2, name: 'Warehouse' },
        subject: { kind: 'webhooks', id: '5', name: 'warehouse.example.com' },
        changes: [{ field: 'url' }, { field: 'events', new: '["order.paid"]' }],
        request_id: '7b0c2f8e-53a9-4f0e-8a5e-0c1d9f3e2a44',
      },
    ],
    meta: { page: 1, limit: 20, total: 2, total_pages: 1, next_cursor: null },
  },
});
