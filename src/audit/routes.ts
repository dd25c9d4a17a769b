import { ok } from '../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { auditExample } from './examples.ts';
import { presentEntry } from './present.ts';
import { readForwarded } from './recording/forward.ts';
import { AuditQuery, AuditRecordList, auditPages } from './schemas.ts';
import { auditPage } from './store.ts';

const list = endpoint(
  {
    method: 'get',
    path: '/v1/audit',
    id: 'listAuditRecords',
    tag: 'Audit',
    summary: 'List who changed what',
    description:
      'Newest first, for 365 days and up to 10,000 entries. Every change that a person makes in a panel is recorded; of calls with a token, those that change settings, theme, webhooks, product feeds and applications. Names the people of the shop: give its scope to integrations alone.',
    access: 'settings:read',
    query: AuditQuery,
    answer: AuditRecordList,
    example: auditExample,
  },
  async (call) => {
    const page = auditPages.pageOf(call.query);
    const { actor, action, subject, from, to } = call.query;
    const filter = {
      tenant: call.tenantId,
      actor,
      action,
      kind: subject,
      ...(from !== undefined && { from: Date.parse(from) }),
      ...(to !== undefined && { to: Date.parse(to) }),
    };
    const { rows, total } = await readForwarded(call.env, call.tenantId, () =>
      auditPage(call.db, page, filter),
    );
    const shown = auditPages.cut(rows, page, { total, key: ({ id }) => id, carriesTotal: true });
    return ok({ data: shown.rows.map(presentEntry), meta: shown.meta });
  },
);

/** The endpoint of the audit log. */
export const auditEndpoints: readonly Endpoint[] = [list];
