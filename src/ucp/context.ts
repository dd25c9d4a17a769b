import type { TenantContext } from '../kernel/data/tenant-context.ts';
import type { Caller } from '../kernel/http/context.ts';
import type { CachedTenant, TenantRow } from '../tenants/index.ts';
import type { PlatformProfile } from './platforms/profile-document.ts';
import type { Negotiation } from './protocol/negotiate.ts';

/** The settings of a tenant that agents may buy from. */
export type UcpSettings = NonNullable<TenantRow['settings']['ucp']>;

/** A tenant that agents may buy from: active, its plan includes it, and it is enabled. */
export interface UcpTenant extends CachedTenant {
  readonly ucp: UcpSettings;
}

/** The agent that calls: the platform's profile that it names, and how it proved that it speaks for it. */
export interface Agent {
  /** The profile's URI. */
  readonly profile: string;
  /** Null for an agent that has proved nothing; it may only read the catalogue. */
  readonly identity:
    | { readonly kind: 'signature'; readonly keyId: string }
    | { readonly kind: 'application'; readonly applicationId: number }
    | null;
}

/** A request of an agent before anything of its body is read but its bytes. */
export interface AgentRequest {
  readonly ctx: TenantContext;
  readonly tenant: UcpTenant;
  /** The https URI of the platform's profile that the agent names. */
  readonly profile: string;
  readonly http: {
    readonly method: string;
    readonly url: string;
    readonly headers: Headers;
    readonly body: Uint8Array;
  };
  /** Whether the agent must prove that it speaks for the profile. */
  readonly identity: 'optional' | 'required';
}

/** An idempotency key, and the digest of what it was sent with: operation, resource and payload. */
export interface IdempotencyClaim {
  /** 1 to 255 characters. */
  readonly key: string;
  /** HMAC-SHA-256 in hex. Another digest with the same key is a conflict (409). */
  readonly digest: string;
}

/** What an operation runs with. */
export interface UcpContext extends TenantContext {
  readonly tenant: UcpTenant;
  readonly agent: Agent;
  readonly platform: PlatformProfile;
  readonly negotiated: Negotiation;
  /** The tenant as a reader of the catalogue. */
  readonly caller: Caller;
  /** The origin that the agent called, for the URLs of hosted pages. */
  readonly origin: string;
  readonly once: IdempotencyClaim | null;
}
