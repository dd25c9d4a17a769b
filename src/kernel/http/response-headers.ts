import type { EndpointSpec } from './endpoint.ts';

/** A header as the document describes it. */
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

/** Every header of a response that a client may rely on, as the document's `components.headers`. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Names this request; quote it when you ask for help.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Cache-Control': text(
    '`no-store`; of versioned catalogue reads `private, no-cache`: ask again with `If-None-Match`.',
    'no-store',
  ),
  ETag: text(
    'Names this state of the resource, for `If-None-Match` and `If-Match`.',
    '"bqz7Jwq0kqXJ9f2b8V1cQd4mZ3s"',
  ),
  'X-Catalog-Version': number(
    "The tenant's catalogue version that the response shows or has made; send it with a read to see at least that.",
    42,
  ),
  'Idempotent-Replayed': {
    description: 'The response is that of an earlier call with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'RateLimit-Policy': text(
    'The limit of the application (`q` requests in `w` seconds), as the IETF draft has it.',
    '"default";q=600;w=60',
  ),
  RateLimit: text(
    'What is left of the limit: `r` requests, and at least one more in `t` seconds. For all tokens of the application.',
    '"default";r=57;t=12',
  ),
  'X-RateLimit-Limit': number('`q` of `RateLimit-Policy`.', 600),
  'X-RateLimit-Remaining': number('`r` of `RateLimit`.', 57),
  'X-RateLimit-Reset': number('When `t` of `RateLimit` is over, in seconds since 1970.', 1_795_500_000),
  'Retry-After': number('After how many seconds a retry makes sense; at most 60 for `rate_limited`.', 12),
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
/** The scopes whose writes move the catalogue version. */
const MOVING = new Set([
  'catalog:write',
  'inventory:write',
  'coupons:write',
  'theme:write',
  'settings:write',
]);
/** What is answered anew each time, whatever the `Idempotency-Key`. */
const NOT_KEPT = new Set([401, 403, 408, 413, 422, 429]);

const isTagged = ({ cached, tagged, access, headers = {} }: EndpointSpec): boolean =>
  cached === true ||
  tagged === true ||
  access.startsWith('cart:') ||
  'If-Match' in headers ||
  'If-None-Match' in headers;

function namesOf(spec: EndpointSpec, status: number, keyed: boolean): Name[] {
  const well = status < 400;
  const moves = spec.method !== 'get' && MOVING.has(spec.access);
  // What was written may be deleted by others before it is read again: 404, with the version.
  const versioned = (well && (spec.cached || moves)) || (status === 404 && moves);
  const known = spec.access !== 'public' && spec.access !== 'platform';
  return [
    'X-Request-Id',
    'Cache-Control',
    ...(known ? LIMIT : []),
    ...(well && isTagged(spec) ? (['ETag'] as const) : []),
    ...(versioned ? (['X-Catalog-Version'] as const) : []),
    ...(keyed && status < 500 && !NOT_KEPT.has(status) ? (['Idempotent-Replayed'] as const) : []),
    ...([409, 429, 503].includes(status) ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ];
}

/** Returns the documented headers of an endpoint's response with this status; `keyed` where it takes an `Idempotency-Key`. */
export const headersOf = (spec: EndpointSpec, status: number, keyed: boolean) =>
  Object.fromEntries(
    namesOf(spec, status, keyed).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
