import { OpenAPIHono } from '@hono/zod-openapi';
import type { Endpoint } from '../http/endpoint.ts';
import { addExamples } from './add-examples.ts';
import { addLinks } from './add-links.ts';
import { routeConfig } from './operation.ts';
import { plainSchemas } from './plain-schema.ts';
import { RESPONSE_HEADERS } from './response-headers.ts';
import { TAGS } from './tags.ts';

const DESCRIPTION = `A headless commerce API for storefronts, mobile apps and integrations, each acting for one tenant.

Every request under \`/v1\` carries an application token: \`Authorization: Bearer sfe_live_…\`.
All errors have the same body; branch on its \`code\`.
Unknown query parameters and unknown fields are 422. Strings must be well-formed Unicode without NUL
and with at most 30 combining marks in a row. They are stored in NFC; lengths are counted in code points.

- **Money** is a decimal number with a currency code beside it; a time is ISO 8601 with seconds and an offset (\`Z\` or \`+02:00\`), to the
  millisecond.
- **Pages.** A list with pages takes \`limit\` and \`cursor\`: the \`meta.next_cursor\` of the previous page, null at the end.
- **Retries.** Send an \`Idempotency-Key\` with a POST: for 24 hours, repeating the request changes nothing more and returns the same response.
- **Conditions.** Send the \`ETag\` of a read as \`If-None-Match\` to get 304 while nothing has changed, and with a change as
  \`If-Match\` to get 412 if something has.
- **Freshness.** A write responds with \`X-Catalog-Version\`. A read that sends it back sees this write; other reads do within 2 seconds.
  Stock that orders, adjustments and imports change follows within 10 seconds, unless it sells out or comes back.
- **Limits.** \`RateLimit\` says how many requests are left, and a 429 or 503 when to retry: \`Retry-After\`, in seconds.
- **Compatibility.** \`/v1\` only grows: ignore the fields, error codes, event types and enum values that you don't know. Responses of what
  is to be removed have \`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594) for six months before.

The examples follow one shop on an empty service, from its tenant to its orders: replace ids and tokens with
those of the responses that you get.`;

let text: string | null = null;

/** What the document's operations, webhooks and components are registered in. */
export type Registry = OpenAPIHono['openAPIRegistry'];

/**
 * Returns the service's OpenAPI 3.1 document as JSON text; `addWebhooks` adds what the service sends. Generated at
 * the first call and kept for the isolate, because it takes as long as the rest of an isolate's start.
 */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  addWebhooks: (registry: Registry) => void,
): string {
  text ??= generate(endpoints, addWebhooks);
  return text;
}

/** How callers authenticate. */
const SECURITY_SCHEMES = {
  applicationToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token of an application. Grant it as few scopes as possible; keep a token with more scopes than a storefront needs on a server.',
  },
  customerSession: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Customer-Token',
    description:
      'The session token of a customer, returned by register and login. Expires 30 days after its last use.',
  },
  superAdmin: {
    type: 'http',
    scheme: 'bearer',
    description: 'The super-admin token of the platform API.',
  },
} as const;

/** Generates the document from the endpoints, and adds their examples and links. */
function generate(endpoints: readonly Endpoint[], addWebhooks: (registry: Registry) => void): string {
  const generator = new OpenAPIHono();
  const registry = generator.openAPIRegistry;
  for (const { spec } of endpoints) registry.registerPath(routeConfig(spec));
  addWebhooks(registry);
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) {
    registry.registerComponent('securitySchemes', name, scheme);
  }
  for (const [name, header] of Object.entries(RESPONSE_HEADERS)) {
    registry.registerComponent('headers', name, header);
  }
  const described = generator.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Storefront Edge',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/' }],
    security: [{ applicationToken: [] }],
    tags: [...TAGS],
  });
  const document = plainSchemas(described);
  addExamples(document, endpoints);
  addLinks(document, endpoints);
  return JSON.stringify(document);
}
