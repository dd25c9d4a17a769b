import { z } from '@hono/zod-openapi';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { checkPublicUrl, urlRules } from '../../kernel/text/public-url.ts';
import { type Checked, done, refused } from '../protocol/outcome.ts';
import { ReverseDomainName, Version } from '../protocol/version.ts';
import { PublicKey } from '../signatures/jwk.ts';

/** How long (ms) a platform's server may take, and the most bytes of its profile. */
const TIMEOUT_MS = 5_000;
const MAX_PROFILE_BYTES = 256 * 1024;

const PlatformCapability = z.object({
  version: Version,
  extends: z.union([ReverseDomainName, z.array(ReverseDomainName).min(1)]).optional(),
  config: z.record(z.string(), z.unknown()).optional(),
});

/** A platform's profile as it is served. */
const ProfileDocument = z.object({
  ucp: z.object({
    version: Version,
    capabilities: z.record(ReverseDomainName, z.array(PlatformCapability)).default({}),
  }),
  signing_keys: z.array(PublicKey).max(20).default([]),
});

/** A platform's profile: its version of the protocol, its capabilities, and its public keys. */
export interface PlatformProfile {
  readonly uri: string;
  readonly version: string;
  readonly capabilities: Readonly<Record<string, readonly z.infer<typeof PlatformCapability>[]>>;
  readonly keys: readonly PublicKey[];
}

/** Fetches a platform's profile: https only, no redirects, bounded in size and time. */
export async function platformProfile(
  { env }: TenantContext,
  uri: string,
): Promise<Checked<PlatformProfile>> {
  const check = checkPublicUrl(uri, urlRules(env));
  if (!check.ok) return refused(400, 'invalid_profile_url', `The profile's URL ${check.problem}.`);
  const text = await fetchText(check.url.href);
  if (text === null) return refused(424, 'profile_unreachable', 'The profile could not be fetched.');
  const document = ProfileDocument.safeParse(parsed(text));
  if (!document.success) return refused(422, 'profile_malformed', 'The profile is not valid.');
  const { ucp, signing_keys: keys } = document.data;
  return done({ uri, version: ucp.version, capabilities: ucp.capabilities, keys });
}

/** Returns a document as text; null if it can't be fetched. */
async function fetchText(url: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json' },
    });
    if (!response.ok) return null;
    const bytes = await response.arrayBuffer();
    return bytes.byteLength > MAX_PROFILE_BYTES ? null : new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
