import { describe, expect, it } from 'vitest';
import type { PlatformProfile } from '../../../src/ucp/platforms/profile-document.ts';
import { CAPABILITY_NAMES } from '../../../src/ucp/protocol/capabilities.ts';
import { negotiate, relevant, unsupportedVersion } from '../../../src/ucp/protocol/negotiate.ts';

const VERSION = '2026-04-08';

const platform = (capabilities: Record<string, string[]>): PlatformProfile => ({
  uri: 'https://agent.example.com/profile',
  version: VERSION,
  capabilities: Object.fromEntries(
    Object.entries(capabilities).map(([name, versions]) => [
      `dev.ucp.shopping.${name}`,
      versions.map((one) => ({ version: one })),
    ]),
  ),
  keys: [],
});

const namesOf = (capabilities: Record<string, string[]>): string[] =>
  [...negotiate(platform(capabilities))].map((name) => name.slice(17)).sort();

describe('negotiation', () => {
  it('keeps what both have in a common version', () => {
    expect(
      namesOf({
        cart: [VERSION],
        checkout: ['2026-01-11'],
        order: ['2026-01-11', VERSION],
        loyalty: [VERSION],
      }),
    ).toEqual(['cart', 'order']);
  });

  it('prunes an extension none of whose parents is left', () => {
    const extensions = { fulfillment: [VERSION], discount: [VERSION], buyer_consent: [VERSION] };
    expect(namesOf(extensions)).toEqual([]);
    expect(namesOf({ ...extensions, cart: [VERSION] })).toEqual(['cart', 'discount']);
    expect(namesOf({ ...extensions, checkout: [VERSION] })).toEqual([
      ...['buyer_consent', 'checkout', 'discount', 'fulfillment'],
    ]);
  });

  it('names only what concerns the operation', () => {
    const all = platform(Object.fromEntries(CAPABILITY_NAMES.map((name) => [name.slice(17), [VERSION]])));
    const of = (root: Parameters<typeof relevant>[1]) => relevant(negotiate(all), root);
    expect(of('dev.ucp.shopping.cart')).toEqual(['dev.ucp.shopping.cart', 'dev.ucp.shopping.discount']);
    expect(of('dev.ucp.shopping.order')).toEqual(['dev.ucp.shopping.order']);
    expect(of('dev.ucp.shopping.checkout')).toHaveLength(4);
  });

  it('accepts only its own version of the protocol', () => {
    expect(unsupportedVersion(VERSION)).toBeNull();
    expect(unsupportedVersion('2026-01-11')?.error).toMatchObject({
      status: 422,
      code: 'version_unsupported',
    });
  });
});
