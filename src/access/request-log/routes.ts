import type { z } from '@hono/zod-openapi';
import { iso } from '../../kernel/core/clock.ts';
import { pageMeta } from '../../kernel/core/pagination.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import type { Call } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import type { CallRecord } from './call-record.ts';
import { oneCallExample, someCallsExample } from './examples.ts';
import { callsOf } from './log-client.ts';
import { LoggedCall, LoggedCallList, LoggedCallParams, LoggedCallQuery, logPages } from './schemas.ts';

const tag = 'Request log';
const path = '/v1/requests';

/** The calling application, whose log it reads. */
const own = ({ caller: { tenantId, applicationId } }: Pick<Call, 'caller'>) => ({ tenantId, applicationId });

const present = ({ id, at, method, route, status, ms }: CallRecord): z.input<typeof LoggedCall> => ({
  request_id: id,
  at: iso(at),
  method,
  route,
  status,
  duration_ms: ms,
});

const list = endpoint(
  {
    method: 'get',
    path,
    id: 'listLoggedCalls',
    tag,
    summary: "List the application's own calls",
    description:
      'Newest first: the last 1,000 calls with a token of this application, for 30 days. A call appears some seconds after its response. Neither bodies nor queries nor the values in a path are kept.',
    access: 'settings:read',
    query: LoggedCallQuery,
    answer: LoggedCallList,
    example: someCallsExample,
  },
  async (call) => {
    const { page: _, limit, cursor, ...filter } = call.query;
    const { page, after } = logPages.pageOf(call.query);
    const behind = after && { at: after[0], id: after[1] };
    const found = await callsOf(call.env, own(call), { filter, page, limit, after: behind });
    if (!found) return fail('unavailable');
    // The log returns its last page for one past the end, which the API shows as empty.
    const calls = found.page === page ? found.calls : [];
    const last = found.more ? calls.at(-1) : undefined;
    const next = last ? logPages.cursor(page + 1, [last.at, last.id]) : null;
    return ok({ data: calls.map(present), meta: pageMeta({ page, limit }, found.total, next) });
  },
);

const get = endpoint(
  {
    method: 'get',
    path: `${path}/{request_id}`,
    id: 'getLoggedCall',
    tag,
    summary: "Get one of the application's own calls",
    description: 'Finds a call by its `request_id` among the last 1,000 calls of this application.',
    access: 'settings:read',
    params: LoggedCallParams,
    answer: LoggedCall,
    errors: ['not_found'],
    example: oneCallExample,
  },
  async (call) => {
    const filter = { id: call.params.request_id };
    const found = await callsOf(call.env, own(call), { filter, page: 1, limit: 1 });
    if (!found) return fail('unavailable');
    const [logged] = found.calls;
    return logged ? ok(present(logged)) : fail('not_found');
  },
);

/** The endpoints of an application's request log. */
export const requestLogEndpoints: readonly Endpoint[] = [list, get];
