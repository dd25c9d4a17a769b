import { z } from 'zod';
import { isNestedDeeper, parseJson } from '../../kernel/text/json-text.ts';
import { ReverseDomainName, Version } from '../protocol/version.ts';
import { PublicKey } from '../signatures/jwk.ts';

/** Upper bounds of what a profile may list; real ones have a dozen capabilities and two keys. */
const MAX_CAPABILITIES = 200;
const MAX_VERSIONS = 20;
const MAX_KEYS = 20;
const MAX_LEVELS = 100;

/** What this side reads of a configuration: anything else could be a hundred thousand empty objects. */
const Config = z.object({ webhook_url: z.string().optional().catch(undefined) });

const PlatformCapability = z.object({
  version: Version,
  extends: z.union([ReverseDomainName, z.array(ReverseDomainName).min(1).max(MAX_VERSIONS)]).optional(),
  config: Config.optional(),
});

/**
 * A platform's profile as it is served. What this side doesn't use (services, payment handlers, links) is dropped
 * unread.
 */
const ProfileDocument = z.object({
  ucp: z.object({
    version: Version,
    capabilities: z
      .record(ReverseDomainName, z.array(PlatformCapability).max(MAX_VERSIONS))
      .refine((all) => Object.keys(all).length <= MAX_CAPABILITIES)
      .default({}),
  }),
  signing_keys: z.array(PublicKey).max(MAX_KEYS).default([]),
});

/** A platform's profile: its version of the protocol, its capabilities, and its public keys. */
export interface PlatformProfile {
  readonly uri: string;
  readonly version: string;
  readonly capabilities: Readonly<Record<string, readonly z.infer<typeof PlatformCapability>[]>>;
  readonly keys: readonly PublicKey[];
}

/** Parses a profile. Returns null if it is no JSON, is nested too deeply to be stored, or doesn't match the schema. */
export function parseProfile(uri: string, text: string): PlatformProfile | null {
  const json = parseJson(text);
  const document = ProfileDocument.safeParse(isNestedDeeper(json, MAX_LEVELS) ? null : json);
  if (!document.success) return null;
  const { ucp, signing_keys: keys } = document.data;
  return { uri, version: ucp.version, capabilities: ucp.capabilities, keys };
}
