import type { Example } from '../../kernel/openapi/example.ts';
import type { LoggedCall, LoggedCallList, LoggedCallParams, LoggedCallQuery } from './schemas.ts';

const refused = {
  request_id: '0d4f7c7e-6a1b-4c3d-9e57-2f1a6c0b8d11',
  at: '2026-11-22T09:14:03.120Z',
  method: 'POST',
  route: '/v1/cart/items',
  status: 422,
  duration_ms: 38,
};

/** An example of the calls that were refused. */
export const someCallsExample = (): Example<{
  query: typeof LoggedCallQuery;
  answer: typeof LoggedCallList;
}> => ({
  query: { status: '4xx' },
  answer: { data: [refused], meta: { page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null } },
});

/** An example of a call that is looked up by its request id. */
export const oneCallExample = (): Example<{
  params: typeof LoggedCallParams;
  answer: typeof LoggedCall;
}> => ({ params: { request_id: refused.request_id }, answer: refused });
