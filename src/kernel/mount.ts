import type { OpenAPIHono, RouteConfig, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyGuard } from './body.ts';
import type { App, Call, Once, Reply } from './call.ts';
import type { Endpoint, EndpointSpec } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { idempotent, WITHOUT_KEY } from './idempotency.ts';
import { fieldErrors, Problem, problem, statusOf } from './problem.ts';
import { fail } from './result.ts';

/** Who lets a request in: made by the access room, handed in by the app. */
export interface Guards {
  token(spec: EndpointSpec): MiddlewareHandler<App>;
  platform: MiddlewareHandler<App>;
}

/** Mounts endpoints on the router: guards, body guard, validators, handler; and documents them. */
export function mount(app: OpenAPIHono<App>, endpoints: readonly Endpoint[], guards: Guards): void {
  for (const { spec, handler } of endpoints) {
    const middleware = [...guardOf(spec, guards), ...(hasBody(spec) ? [bodyGuard(spec)] : [])];
    app.openapi(
      { ...routeConfig(spec), middleware },
      // The declaration's types were checked by endpoint(); here all endpoints are alike.
      async (c) => (await answer(spec, handler, c as unknown as Context<App>)) as never,
      (result, c) => {
        if (result.success) return;
        const target = result.target === 'json' ? 'body' : result.target;
        return problem(c as unknown as Context<App>, {
          code: 'validation_error',
          errors: fieldErrors(result.error as z.ZodError, target),
        }) as never;
      },
    );
  }
}

const hasBody = (spec: EndpointSpec): boolean => spec.body !== undefined || spec.stream !== undefined;

/** Whether the endpoint's answers are kept by Idempotency-Key. */
export const takesKey = (spec: EndpointSpec): boolean =>
  spec.access !== 'public' && (spec.idempotent ?? spec.method === 'post') !== false;

function guardOf(spec: EndpointSpec, guards: Guards): MiddlewareHandler<App>[] {
  if (spec.access === 'public') return [];
  return [spec.access === 'platform' ? guards.platform : guards.token(spec)];
}

/** Calls the handler with what was validated, and turns its reply into a response. */
async function answer(spec: EndpointSpec, handler: Endpoint['handler'], c: Context<App>): Promise<Response> {
  const valid = (part: string): unknown => c.req.valid(part as never);
  const callWith = (once: Once): Call => ({
    c,
    env: c.env,
    ctx: c.executionCtx,
    get caller() {
      const caller = c.get('caller');
      if (!caller) throw new Error(`${spec.path} asked for a caller without a token guard`);
      return caller;
    },
    params: valid('param'),
    query: valid('query'),
    body: valid('json'),
    once,
  });
  const run = async (once: Once) => respond(spec, c, await handler(callWith(once)));
  const key = c.req.header('idempotency-key');
  if (key === undefined || !takesKey(spec) || spec.idempotent === 'own') return run(WITHOUT_KEY);
  if (key.length < 1 || key.length > 255) return respond(spec, c, badKey);
  const scope = spec.access === 'platform' ? { tenantId: 0, applicationId: 0 } : c.get('caller');
  return respond(spec, c, await idempotent(callWith(WITHOUT_KEY), key, scope, run));
}

const badKey = fail('validation_error', {
  errors: { 'Idempotency-Key': ['must have 1 to 255 characters'] },
});

function respond(spec: EndpointSpec, c: Context<App>, reply: Reply<unknown>): Response {
  if (reply instanceof Response) return reply;
  if (!reply.ok) return problem(c, reply.failure);
  if (spec.status === 204) return c.body(null, 204);
  return c.json(reply.value as object, spec.status ?? 200);
}

const GUARD_ERRORS: Readonly<Record<'token' | 'platform' | 'public', readonly ErrorCode[]>> = {
  token: ['unauthorized', 'rate_limited', 'tenant_suspended', 'origin_not_allowed', 'insufficient_scope'],
  platform: ['unauthorized'],
  public: [],
};

/** Every code that the endpoint can answer with: its own, and those of its guards. */
export function codesOf(spec: EndpointSpec): ErrorCode[] {
  const guard = spec.access === 'platform' || spec.access === 'public' ? spec.access : 'token';
  const body: ErrorCode[] = spec.stream
    ? ['unsupported_media_type', 'payload_too_large']
    : ['unsupported_media_type', 'payload_too_large', 'invalid_json'];
  return [
    ...GUARD_ERRORS[guard],
    ...(spec.feature ? (['plan_not_allowed'] as const) : []),
    ...(hasBody(spec) ? body : []),
    ...(spec.body || spec.query || spec.params || takesKey(spec) ? (['validation_error'] as const) : []),
    ...(takesKey(spec) ? (['idempotency_in_progress', 'idempotency_key_reused'] as const) : []),
    ...(spec.errors ?? []),
    'internal_error',
    'unavailable',
  ];
}

const headerParam = (name: string, description: string, schema: object) =>
  ({ in: 'header', name, description, required: false, schema }) as const;

/** The endpoint as OpenAPI 3.1, with every status that it can answer. */
function routeConfig(spec: EndpointSpec): RouteConfig {
  const success = spec.answer
    ? { description: 'Success', content: { 'application/json': { schema: spec.answer } } }
    : { description: 'Success, no content' };
  const byStatus = Map.groupBy(new Set(codesOf(spec)), statusOf);
  const failures = [...byStatus].map(([status, codes]) => [
    status,
    { description: codes.map((code) => `\`${code}\``).join(', '), content: problemContent },
  ]);
  return {
    method: spec.method,
    path: spec.path,
    operationId: operationId(spec),
    tags: [spec.tag],
    summary: spec.summary,
    ...(describe(spec) ? { description: describe(spec) } : {}),
    ...(spec.access === 'public' ? { security: [] } : {}),
    ...(spec.access === 'platform' ? { security: [{ superAdmin: [] }] } : {}),
    request: {
      ...(spec.params ? { params: spec.params as never } : {}),
      ...(spec.query ? { query: spec.query as never } : {}),
      ...(spec.body
        ? { body: { required: true, content: { 'application/json': { schema: spec.body } } } }
        : {}),
    },
    ...(spec.stream
      ? {
          requestBody: {
            required: true,
            content: { [spec.stream.mediaType]: { schema: { type: 'string', format: 'binary' } } },
          },
        }
      : {}),
    ...parameters(spec),
    responses: {
      [spec.status ?? 200]: success,
      ...(spec.cached
        ? { 304: { description: 'Not modified: `If-None-Match` names what is current.' } }
        : {}),
      ...Object.fromEntries(failures),
    },
  } as RouteConfig;
}

const problemContent = { 'application/json': { schema: Problem } };

function parameters(spec: EndpointSpec): object {
  const list = [
    ...(takesKey(spec)
      ? [
          headerParam('Idempotency-Key', 'Makes a retry harmless for 24 hours.', {
            type: 'string',
            maxLength: 255,
          }),
        ]
      : []),
    ...(spec.cached
      ? [
          headerParam('If-None-Match', 'The `ETag` of an answer that the client has.', { type: 'string' }),
          headerParam('X-Catalog-Version', 'Answer with this catalogue version or a newer one.', {
            type: 'integer',
          }),
        ]
      : []),
  ];
  return list.length > 0 ? { parameters: list } : {};
}

function describe(spec: EndpointSpec): string {
  const scope = spec.access === 'platform' || spec.access === 'public' ? '' : `Scope: \`${spec.access}\`.`;
  return [spec.description, scope].filter(Boolean).join('\n\n');
}

/** `GET /v1/products/{id}` → `get_products_id`. */
const operationId = (spec: EndpointSpec): string =>
  `${spec.method}${spec.path.replace(/^\/v1/, '')}`.replace(/[/{}-]+/g, '_').replace(/_$/, '');
