import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { Agent, UcpTenant } from '../context.ts';
import { type PlatformProfile, platformProfile } from '../platforms/platform-profile.ts';
import { type Checked, done, refused } from '../protocol/outcome.ts';

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

/** An agent that may call, with its platform's profile. */
export interface Admitted {
  readonly agent: Agent;
  readonly platform: PlatformProfile;
}

/** Admits an agent whose platform's profile can be fetched. */
export async function admit({ ctx, profile, identity }: AgentRequest): Promise<Checked<Admitted>> {
  if (identity === 'required') {
    return refused(401, 'signature_missing', 'The operation needs a signed request.');
  }
  const platform = await platformProfile(ctx, profile);
  if (!platform.ok) return platform;
  const agent = { profile, origin: new URL(profile).origin, identity: null };
  return done({ agent, platform: platform.value });
}
