import { z } from '@hono/zod-openapi';
import { idParam } from '../kernel/core/pagination.ts';
import { SCOPES } from '../kernel/core/scopes.ts';
import { line, rawText } from '../kernel/text/text.ts';
import { httpsUrl } from '../kernel/text/uri.ts';
import { instant } from '../kernel/values/instant.ts';
import { SlugParam } from '../tenants/index.ts';
import { DEFAULT_SCOPES } from './scopes.ts';
import { APPLICATION_STATUSES, KINDS } from './tables.ts';

const Scopes = z
  .array(z.enum(SCOPES))
  .max(SCOPES.length)
  .transform((scopes) => [...new Set(scopes)]);

const listed = (scopes: readonly string[]): string => scopes.map((scope) => `\`${scope}\``).join(', ');

const NOT_ORIGIN =
  'must be an origin such as https://shop.example.com, an international domain as browsers send it (xn--…)';

/**
 * An origin as browsers send it (RFC 6454): scheme, host and port in lower case, IDNs in ASCII; no path, no wildcard.
 */
const Origin = rawText(255, {
  pattern: [/^https?:\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?$/, NOT_ORIGIN],
}).refine((text) => URL.canParse(text) && new URL(text).origin === text, NOT_ORIGIN);

const ServerSide = z.boolean().openapi({
  description:
    'Whether the application runs on a server that calls for many shoppers. Only then is its `X-Buyer-IP` used. Default: true for an `integration`, else false. Never set it for an application in a browser or on a phone.',
});

/** The platform's profile that an agent calls for, as its `UCP-Agent` header names it. */
const AgentProfile = httpsUrl.openapi({
  description:
    "The URI of the platform's profile (UCP) that the `agent` calls for, as its `UCP-Agent` header names it. Required for an `agent`, not allowed for other kinds. Fixed: another profile needs another application.",
  example: 'https://agent.example.com/profiles/shopping.json',
});

const fields = {
  name: line(255),
  status: z.enum(APPLICATION_STATUSES),
  scopes: Scopes.openapi({
    description: `What the token may call: each operation names its scope. Default: of a \`storefront\` and a \`mobile\` ${listed(DEFAULT_SCOPES.storefront)}; of an \`integration\` all; of an \`agent\` none.`,
  }),
  server_side: ServerSide,
  allowed_origins: z.array(Origin).max(50).openapi({
    description:
      'Origins of the web pages that may use the token: a request with another `Origin` is 403 `origin_not_allowed`. Empty allows every origin. Apps and servers send no `Origin` and are not affected. Checkout may also return to these origins.',
  }),
  rate_limit_per_minute: z.int().min(1).max(6_000).nullable().openapi({
    description:
      "Requests in any 60 seconds, of all shoppers of the application together. At most the plan's; null: the plan's.",
  }),
  expires_at: instant.nullable().openapi({
    description: 'From then on its tokens are 401. Null: never.',
  }),
};

/** A new application. An `agent` names its platform's profile; no other kind does. */
export const ApplicationCreate = z
  .strictObject({
    name: fields.name,
    kind: z.enum(KINDS),
    agent_profile: AgentProfile.optional(),
    status: fields.status.default('active'),
    scopes: fields.scopes.optional(),
    server_side: fields.server_side.optional(),
    allowed_origins: fields.allowed_origins.default([]),
    rate_limit_per_minute: fields.rate_limit_per_minute.optional(),
    expires_at: fields.expires_at.optional(),
  })
  .superRefine(({ kind, agent_profile }, context) => {
    if ((kind === 'agent') === (agent_profile !== undefined)) return;
    const message = kind === 'agent' ? 'is required for an agent' : 'is only for an agent';
    context.addIssue({ code: 'custom', path: ['agent_profile'], message });
  })
  .openapi('ApplicationCreate');
export type ApplicationCreate = z.infer<typeof ApplicationCreate>;

/** Changes to an application; the given fields are replaced. */
export const ApplicationPatch = z.strictObject(fields).partial().openapi('ApplicationPatch');
export type ApplicationPatch = z.infer<typeof ApplicationPatch>;

/** An application in responses, without its token. */
export const Application = z
  .object({
    id: z.int(),
    name: z.string(),
    kind: z.enum(KINDS),
    agent_profile: z.string().nullable().openapi({ description: 'Null unless the kind is `agent`.' }),
    status: z.enum(APPLICATION_STATUSES),
    scopes: z.array(z.enum(SCOPES)),
    server_side: ServerSide,
    allowed_origins: z.array(z.string()),
    rate_limit_per_minute: z.int().nullable(),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .openapi('Application');

/** An application with its token, in the responses of create and rotate only. */
export const ApplicationWithToken = Application.extend({
  token: z.string().openapi({ description: 'Shown only once; only its hash is stored.' }),
}).openapi('ApplicationWithToken');

/** The path parameters of an application. */
export const ApplicationParams = SlugParam.extend({ id: idParam });
