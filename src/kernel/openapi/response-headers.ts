import { type EndpointSpec, takesToken } from '../http/endpoint.ts';
import { isReplayable } from '../http/idempotency.ts';

/** A header in the OpenAPI document. */
type HeaderText = {
  description: string;
  required?: boolean;
  schema: {
    type: 'string' | 'integer';
    format?: string;
    minimum?: number;
    enum?: string[];
    example?: string | number;
  };
};

const text = (description: string, example: string): HeaderText => ({
  description,
  schema: { type: 'string', example },
});
const number = (description: string, example: number): HeaderText => ({
  description,
  schema: { type: 'integer', minimum: 0, example },
});

/** Every response header that a client may rely on: `components.headers` of the OpenAPI document. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this request. Include it in support requests.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Cache-Control': text(
    '`no-store`. For versioned catalogue reads `private, no-cache`: revalidate with `If-None-Match`.',
    'no-store',
  ),
  ETag: text(
    'Identifies this state of the resource, for `If-None-Match` and `If-Match`.',
    '"bqz7Jwq0kqXJ9f2b8V1cQd4mZ3s"',
  ),
  'X-Catalog-Version': number(
    "The tenant's catalogue version that was read, or that the write created. Send it with a read to get at least that version.",
    1_795_500_000_123,
  ),
  'Idempotent-Replayed': {
    description: 'The response is the stored one of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'RateLimit-Policy': text(
    "The application's limit, `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).",
    '"default";q=600;w=60',
  ),
  RateLimit: text(
    'The remaining limit: `r` requests, and at least one more in `t` seconds. Shared by all tokens of the application.',
    '"default";r=57;t=12',
  ),
  'X-RateLimit-Limit': number('`q` of `RateLimit-Policy`.', 600),
  'X-RateLimit-Remaining': number('`r` of `RateLimit`.', 57),
  'X-RateLimit-Reset': number('The end of `t` of `RateLimit`, as Unix time in seconds.', 1_795_500_000),
  Link: text(
    'With `text/csv`: the address of the next page, `rel="next"` (RFC 8288); absent at the end.',
    '<https://api.example.com/v1/orders?limit=100&cursor=…>; rel="next"',
  ),
  Location: text('The path of what the request has created or started (RFC 9110, 10.2.2).', '/v1/products/7'),
  'Retry-After': number(
    "Seconds to wait before a retry: at most 60 for the application's requests, more for other limits, such as wrong coupon codes.",
    12,
  ),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer'),
} satisfies Record<string, HeaderText>;

type Name = keyof typeof RESPONSE_HEADERS;

const LIMIT: readonly Name[] = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];
/** The scopes whose writes increment the catalogue version. */
const VERSIONED_SCOPES = new Set([
  'catalog:write',
  'inventory:write',
  'coupons:write',
  'theme:write',
  'settings:write',
]);

const isTagged = ({ cached, tagged, access, headers = {} }: EndpointSpec): boolean =>
  tagged ??
  (cached === true || access.startsWith('cart:') || 'If-Match' in headers || 'If-None-Match' in headers);

const makesVersion = ({ changesCatalog, method, access }: EndpointSpec): boolean =>
  changesCatalog ?? (method !== 'get' && VERSIONED_SCOPES.has(access));

function namesOf(spec: EndpointSpec, status: number, keyed: boolean): Name[] {
  const well = status < 400;
  const isWrite = makesVersion(spec);
  // Another request may delete the resource before the write reads it back: 404, with the version.
  const versioned = (well && (spec.cached || isWrite)) || (status === 404 && isWrite);
  return [
    'X-Request-Id',
    'Cache-Control',
    ...(takesToken(spec.access) ? LIMIT : []),
    ...(well && status !== 204 && isTagged(spec) ? (['ETag'] as const) : []),
    ...(well && spec.csv ? (['Link'] as const) : []),
    ...(versioned ? (['X-Catalog-Version'] as const) : []),
    ...(keyed && isReplayable(status) ? (['Idempotent-Replayed'] as const) : []),
    ...([409, 429, 503].includes(status) ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ];
}

/** Returns the documented headers of a response. `keyed`: the endpoint supports `Idempotency-Key`. */
export const headersOf = (spec: EndpointSpec, status: number, keyed: boolean) =>
  Object.fromEntries(
    namesOf(spec, status, keyed).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
