import type { OpenAPIHono } from '@hono/zod-openapi';
import type { App } from './context.ts';
import { plainSchemas } from './plain-schema.ts';
import { RESPONSE_HEADERS } from './response-headers.ts';

const DESCRIPTION = `A headless commerce API for storefronts, mobile apps and integrations, each acting for one tenant.

Every call under \`/v1\` carries an application token: \`Authorization: Bearer sfe_live_…\`.
Errors have one body, whatever went wrong; switch on its \`code\`.
Unknown query parameters and unknown fields are 422. Text is well-formed Unicode without NUL, kept in NFC;
lengths are those of its code points.`;

let made: object | null = null;

/** The OpenAPI 3.1 document of the service, made from the mounted endpoints. */
export function openApiDocument(app: OpenAPIHono<App>): object {
  made ??= make(app);
  return made;
}

function make(app: OpenAPIHono<App>): object {
  const { openAPIRegistry: registry } = app;
  registry.registerComponent('securitySchemes', 'applicationToken', {
    type: 'http',
    scheme: 'bearer',
    description:
      "The token of an application registration. Give it the least scopes; keep one with more than a storefront's on a server.",
  });
  registry.registerComponent('securitySchemes', 'customerSession', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Customer-Token',
    description:
      'The session of a customer, as register and login answer it. Lives 30 days after its last use.',
  });
  registry.registerComponent('securitySchemes', 'superAdmin', {
    type: 'http',
    scheme: 'bearer',
    description: 'The super-admin token of the platform API.',
  });
  for (const [name, header] of Object.entries(RESPONSE_HEADERS)) {
    registry.registerComponent('headers', name, header);
  }
  const described = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Storefront Edge',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/' }],
    security: [{ applicationToken: [] }],
  });
  return plainSchemas(described);
}
