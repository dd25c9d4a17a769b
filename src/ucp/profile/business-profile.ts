import type { UcpTenant } from '../context.ts';
import { CAPABILITY_NAMES, documentsOf, parentsOf } from '../protocol/capabilities.ts';
import { UCP_DOCUMENTS, UCP_VERSION } from '../protocol/version.ts';
import type { PublicKey } from '../signatures/jwk.ts';

/**
 * Returns a tenant's business profile: the REST and MCP endpoints below `origin`, the capabilities, and the keys that
 * its messages are signed with. There are no payment handlers, because buyers pay on the hosted checkout page.
 */
export function businessProfile(
  { slug }: Pick<UcpTenant, 'slug'>,
  origin: string,
  keys: readonly PublicKey[],
): object {
  const endpoint = `${origin}/ucp/${slug}`;
  const service = { version: UCP_VERSION, spec: `${UCP_DOCUMENTS}/specification/overview` };
  const schemas = `${UCP_DOCUMENTS}/services/shopping`;
  return {
    ucp: {
      version: UCP_VERSION,
      services: {
        'dev.ucp.shopping': [
          { ...service, transport: 'rest', endpoint, schema: `${schemas}/rest.openapi.json` },
          {
            ...service,
            transport: 'mcp',
            endpoint: `${endpoint}/mcp`,
            schema: `${schemas}/mcp.openrpc.json`,
          },
        ],
      },
      capabilities: Object.fromEntries(
        CAPABILITY_NAMES.map((name) => {
          const parents = parentsOf(name);
          const terms = { version: UCP_VERSION, ...documentsOf(name) };
          return [name, [parents === undefined ? terms : { ...terms, extends: parents }]];
        }),
      ),
      payment_handlers: {},
    },
    signing_keys: keys,
  };
}

/**
 * Returns the URI of the tenant's profile at an origin that was called: at the root of a host that its settings name,
 * else below the tenant's own path.
 */
export function profileUri({ slug, ucp }: Pick<UcpTenant, 'slug' | 'ucp'>, origin: string): string {
  const isOwnHost = ucp.hosts?.includes(new URL(origin).host) ?? false;
  return `${origin}${isOwnHost ? '' : `/ucp/${slug}`}/.well-known/ucp`;
}
