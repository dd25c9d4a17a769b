import type { RouteConfig } from '@hono/zod-openapi';
import type { ErrorCode } from '../core/errors.ts';
import { type EndpointSpec, takesToken } from '../http/endpoint.ts';
import { statusOf } from '../http/problem.ts';
import { COMMA_LIST } from './comma-list.ts';
import { operationIdOf } from './operation-id.ts';
import { DocumentedProblem } from './problem-schema.ts';
import { headersOf } from './response-headers.ts';

/** Returns whether the endpoint reads a body. A POST without fields reads it too, to reject unknown ones. */
export const hasBody = (spec: EndpointSpec): boolean =>
  spec.body !== undefined || spec.stream !== undefined || spec.method === 'post';

/** Returns whether the endpoint supports `Idempotency-Key`. */
export const takesKey = (spec: EndpointSpec): boolean =>
  spec.access !== 'public' && (spec.idempotent ?? spec.method === 'post') !== false;

const GUARD_ERRORS: Readonly<Record<'token' | 'platform' | 'public', readonly ErrorCode[]>> = {
  token: ['unauthorized', 'rate_limited', 'tenant_suspended', 'origin_not_allowed', 'insufficient_scope'],
  platform: ['unauthorized', 'rate_limited'],
  public: [],
};

/** Returns every error code of the endpoint, including those of its guards. */
export function codesOf(spec: EndpointSpec): ErrorCode[] {
  const guard = takesToken(spec.access) ? 'token' : spec.access;
  const body: ErrorCode[] = [
    'unsupported_media_type',
    'payload_too_large',
    'request_timeout',
    ...(spec.stream ? [] : (['invalid_json'] as const)),
  ];
  return [
    ...GUARD_ERRORS[guard],
    ...(spec.customer ? (['invalid_customer_token'] as const) : []),
    ...(spec.feature ? (['plan_not_allowed'] as const) : []),
    ...(hasBody(spec) ? body : []),
    'validation_error',
    ...(takesKey(spec) ? (['idempotency_in_progress', 'idempotency_key_reused'] as const) : []),
    ...(spec.errors ?? []),
    'internal_error',
    'unavailable',
  ];
}

/** The schemas of the request headers that are not any text. */
const HEADER_SCHEMAS: Readonly<Record<string, object>> = {
  'Idempotency-Key': { type: 'string', minLength: 1, maxLength: 255 },
  'X-Catalog-Version': { type: 'integer' },
};

const headerParam = (name: string, description: string) => {
  const schema = HEADER_SCHEMAS[name] ?? { type: 'string' };
  return { in: 'header', name, description, required: false, schema } as const;
};

/**
 * Returns the parameter that stands for all with a prefix: an exploded object, each property of which is a
 * parameter of its own (OpenAPI 3.1, 4.8.12.4).
 */
const openParam = ({ prefix, description }: NonNullable<EndpointSpec['openQuery']>) =>
  ({
    in: 'query',
    name: prefix.replace(/\W+$/, ''),
    description,
    required: false,
    style: 'form',
    explode: true,
    schema: {
      type: 'object',
      propertyNames: { pattern: `^${prefix.replaceAll('.', '\\.')}.+$` },
      additionalProperties: { ...COMMA_LIST, type: 'string' },
    },
  }) as const;

/** Returns the endpoint's OpenAPI 3.1 operation with every possible status. */
export function routeConfig(spec: EndpointSpec): RouteConfig {
  const description = describe(spec);
  const config = {
    method: spec.method,
    path: spec.path,
    operationId: operationIdOf(spec),
    tags: [spec.tag],
    summary: spec.summary,
    ...(description ? { description } : {}),
    ...securityOf(spec),
    ...requestOf(spec),
    ...parameters(spec),
    responses: responsesOf(spec),
  };
  // The schemas' types are erased here; endpoint() has checked them.
  return config as unknown as RouteConfig;
}

/** Returns the security requirement, unless it is the default (an application token alone). */
function securityOf(spec: EndpointSpec): object {
  if (spec.access === 'public') return { security: [] };
  if (spec.access === 'platform') return { security: [{ superAdmin: [] }] };
  if (!spec.customer) return {};
  const both = { applicationToken: [], customerSession: [] };
  return { security: spec.customer === 'optional' ? [{ applicationToken: [] }, both] : [both] };
}

/** Returns the inputs; the handler validates `requestBody` (a stream) itself. */
function requestOf(spec: EndpointSpec): object {
  // A missing body counts as an empty object.
  const required = spec.body?.safeParse({}).success === false;
  const body = spec.body && { required, content: { 'application/json': { schema: spec.body } } };
  const request = {
    ...(spec.params ? { params: spec.params } : {}),
    ...(spec.query ? { query: spec.query } : {}),
    ...(body ? { body } : {}),
  };
  if (!spec.stream) return { request };
  const binary = { schema: { type: 'string', format: 'binary' } };
  const content = Object.fromEntries(spec.stream.mediaTypes.map((mediaType) => [mediaType, binary]));
  return { request, requestBody: { required: true, content } };
}

/** Returns the CSV form of the response, for endpoints that have one. */
const csvOf = ({ csv }: EndpointSpec): object =>
  csv ? { 'text/csv': { schema: { type: 'string', description: `The columns: ${csv.join(', ')}.` } } } : {};

function responsesOf(spec: EndpointSpec): object {
  const headers = headersOf(spec, spec.status ?? 200, takesKey(spec));
  const success = spec.answer
    ? {
        description: 'Success',
        headers,
        content: { 'application/json': { schema: spec.answer }, ...csvOf(spec) },
      }
    : { description: 'Success, no content', headers };
  const unchanged = {
    description: 'Not modified: `If-None-Match` names the current `ETag`.',
    headers: headersOf(spec, 304, takesKey(spec)),
  };
  const byStatus = Map.groupBy(new Set(codesOf(spec)), statusOf);
  const failures = [...byStatus].map(([status, codes]) => [
    status,
    {
      headers: headersOf(spec, status, takesKey(spec)),
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: { 'application/json': { schema: DocumentedProblem } },
    },
  ]);
  return {
    [spec.status ?? 200]: success,
    ...(spec.cached || spec.headers?.['If-None-Match'] ? { 304: unchanged } : {}),
    ...Object.fromEntries(failures),
  };
}

function parameters(spec: EndpointSpec): object {
  const list = [
    ...(takesKey(spec)
      ? [
          headerParam(
            'Idempotency-Key',
            'Makes retries safe for 24 hours: the same key and body get the same response.',
          ),
        ]
      : []),
    ...(spec.cached
      ? [
          headerParam('If-None-Match', 'The `ETag` of the response that the client has cached.'),
          headerParam('X-Catalog-Version', 'Responds with this catalogue version or a newer one.'),
        ]
      : []),
    ...(spec.openQuery ? [openParam(spec.openQuery)] : []),
    ...Object.entries(spec.headers ?? {}).map(([name, text]) => headerParam(name, text)),
  ];
  return list.length > 0 ? { parameters: list } : {};
}

function describe(spec: EndpointSpec): string {
  const scope = takesToken(spec.access) ? `Scope: \`${spec.access}\`.` : '';
  return [spec.description, scope].filter(Boolean).join('\n\n');
}
