import type { PlatformProfile } from '../platforms/platform-profile.ts';
import { CAPABILITIES, type CapabilityName, type RootName } from './capabilities.ts';
import { type Refused, refused } from './outcome.ts';
import { UCP_VERSION } from './version.ts';

/** What a platform and this business both support. */
export interface Negotiation {
  /** The protocol's version. */
  readonly version: string;
  /** The active capabilities with their versions. */
  readonly capabilities: ReadonlyMap<CapabilityName, string>;
}

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
 * Returns the intersection of the business's capabilities and the platform's: those that both have in a common
 * version, without extensions none of whose parents is left. Pruning repeats until nothing changes.
 */
export function negotiate(own: readonly CapabilityName[], { capabilities }: PlatformProfile): Negotiation {
  const common = own.filter((name) => capabilities[name]?.some(({ version }) => version === UCP_VERSION));
  let active = new Set(common);
  for (let before = -1; before !== active.size; ) {
    before = active.size;
    const known = active;
    active = new Set(
      [...known].filter((name) => CAPABILITIES[name].extends?.some((parent) => known.has(parent)) ?? true),
    );
  }
  return {
    version: UCP_VERSION,
    capabilities: new Map([...active].map((name) => [name, UCP_VERSION])),
  };
}

/** Returns the active capabilities that concern an operation: its own, and the extensions of that. */
export const relevant = (
  { capabilities }: Negotiation,
  root: RootName,
): ReadonlyMap<CapabilityName, string> =>
  new Map([...capabilities].filter(([name]) => name === root || CAPABILITIES[name].extends?.includes(root)));
