import { z } from '@hono/zod-openapi';
import { limitUpTo, listPages, PageMeta } from '../../kernel/core/pagination.ts';
import { storedText, text } from '../../kernel/text/text.ts';
import { MAX_LOGGED_CALLS, STATUS_CLASSES } from './call-record.ts';

/** The page of a log of at most {@link MAX_LOGGED_CALLS} calls. */
const page = z
  .string()
  .regex(/^\d{1,4}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.number().min(1, 'must be at least 1').max(MAX_LOGGED_CALLS))
  .default(1)
  .openapi({ type: 'integer', minimum: 1, maximum: MAX_LOGGED_CALLS, default: 1 });

/** Pages and cursors of a log; a page ends behind a call, which its time (ms) and its request id name. */
export const logPages = listPages('requests', z.tuple([z.int(), text(64)]));

/** A page of an application's calls, with optional filters. */
export const LoggedCallQuery = z.object({
  ...logPages.query,
  page,
  limit: limitUpTo(100, 20),
  status: z.enum(STATUS_CLASSES).optional().openapi({ description: 'The class of the status.' }),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  route: storedText(200).optional().openapi({
    description: "The path's pattern, as `route` has it.",
    example: '/v1/products/{id}',
  }),
});

/** The path parameter of a call. */
export const LoggedCallParams = z.object({
  request_id: text(64).openapi({ description: 'The `X-Request-Id` of the response.' }),
});

/** A call of the API, without body, query and anything that its path names. */
export const LoggedCall = z
  .object({
    request_id: z.string(),
    at: z.iso.datetime(),
    method: z.string(),
    route: z.string().openapi({ description: "The path's pattern.", example: '/v1/products/{id}' }),
    status: z.int(),
    duration_ms: z.int().openapi({ description: 'The time until the response began.' }),
  })
  .openapi('LoggedCall');

/** A page of calls, newest first. */
export const LoggedCallList = z
  .object({ data: z.array(LoggedCall), meta: PageMeta })
  .openapi('LoggedCallList');
