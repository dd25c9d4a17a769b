import { env } from 'cloudflare:workers';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { requireTenant } from '../../../src/tenants/index.ts';
import { admit } from '../../../src/ucp/admission/admit.ts';
import type { AgentRequest } from '../../../src/ucp/context.ts';
import type { UnsignedRequest } from '../../support/fixtures/agents/signer.ts';
import type { World } from '../../support/world.ts';

export const SETTINGS = { ucp: { enabled: true } };

/** The request of an agent that fills a cart. */
export const CART: UnsignedRequest = {
  method: 'POST',
  url: 'https://api.example.com/ucp/shop/carts',
  headers: { 'idempotency-key': '550e8400-e29b-41d4-a716-446655440000' },
  body: '{"line_items":[]}',
};

/** The identity of a platform that has signed its request. */
export const signed = { kind: 'signature', keyId: 'platform-1' };

/** How {@link CART} is sent: unsigned to a shop that demands an identity, unless this says otherwise. */
export interface Sent {
  readonly bindings?: Env;
  readonly headers?: Headers;
  /** The URI of the platform's profile. */
  readonly profile: string;
  readonly identity?: AgentRequest['identity'];
  readonly body?: string;
  /** The shop that is asked. */
  readonly of: World;
}

/** Asks for the admission of {@link CART}. */
export async function send({ headers = new Headers(), identity = 'required', ...rest }: Sent) {
  const { of, bindings = env, profile } = rest;
  const ctx = tenantContext({ env: bindings, ctx: { waitUntil: () => undefined } }, of.tenantId);
  const tenant = await requireTenant(ctx);
  const { method, url, body = '' } = CART;
  return admit({
    ctx,
    tenant: { ...tenant, ucp: { enabled: true } } as AgentRequest['tenant'],
    profile,
    http: { method, url, headers, body: new TextEncoder().encode(rest.body ?? body) },
    identity,
  });
}

/** Returns the status and code of a refusal, or how the agent has proved who it is. */
export async function outcomeOf(sent: Sent): Promise<unknown> {
  const admitted = await send(sent);
  if (admitted.ok) return admitted.value.agent.identity;
  return [admitted.error.status, admitted.error.code];
}
