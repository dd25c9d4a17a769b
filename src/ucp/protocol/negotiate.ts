import type { PlatformProfile } from '../platforms/profile-document.ts';
import { CAPABILITIES, CAPABILITY_NAMES, type CapabilityName, type RootName } from './capabilities.ts';
import { type Refused, refused } from './outcome.ts';
import { UCP_VERSION } from './version.ts';

/** The active capabilities: those that a platform and this business both support. */
export type Negotiation = ReadonlySet<CapabilityName>;

/** Returns the error of a platform whose version of the protocol is not spoken here; null for a supported one. */
export const unsupportedVersion = (version: string): Refused | null =>
  version === UCP_VERSION
    ? null
    : refused(
        422,
        'version_unsupported',
        `Version ${version.slice(0, 40)} is not supported. This business implements version ${UCP_VERSION}.`,
      );

/**
 * Returns the capabilities that the platform has in this business's version, without extensions none of whose parents is
 * among them. No extension extends another one.
 */
export function negotiate({ capabilities }: PlatformProfile): Negotiation {
  const common = CAPABILITY_NAMES.filter((name) =>
    capabilities[name]?.some(({ version }) => version === UCP_VERSION),
  );
  const isActive = (name: CapabilityName) =>
    CAPABILITIES[name].extends?.some((parent) => common.includes(parent)) ?? true;
  return new Set(common.filter(isActive));
}

/** Returns the active capabilities that concern an operation: its own, and the extensions of that. */
export const relevant = (negotiated: Negotiation, root: RootName): CapabilityName[] =>
  [...negotiated].filter((name) => name === root || CAPABILITIES[name].extends?.includes(root));
