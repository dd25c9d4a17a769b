import { keysOf } from '../../kernel/core/records.ts';
import { UCP_DOCUMENTS } from './version.ts';

/** What is known of a capability: its documents below {@link UCP_DOCUMENTS}, and what it extends. */
interface CapabilityTerms {
  readonly spec: string;
  readonly schema: string;
  /** Of an extension: the capabilities to which it adds fields. At least one of them must be active with it. */
  readonly extends?: readonly RootName[];
}

/** The name of a capability that has operations. */
export type RootName =
  | 'dev.ucp.shopping.catalog.search'
  | 'dev.ucp.shopping.catalog.lookup'
  | 'dev.ucp.shopping.cart'
  | 'dev.ucp.shopping.checkout'
  | 'dev.ucp.shopping.order';

/** The name of a capability of this business. */
export type CapabilityName =
  | RootName
  | 'dev.ucp.shopping.fulfillment'
  | 'dev.ucp.shopping.discount'
  | 'dev.ucp.shopping.buyer_consent';

/** The capabilities of this business. */
export const CAPABILITIES: Readonly<Record<CapabilityName, CapabilityTerms>> = {
  'dev.ucp.shopping.catalog.search': {
    spec: 'specification/catalog/search',
    schema: 'schemas/shopping/catalog_search.json',
  },
  'dev.ucp.shopping.catalog.lookup': {
    spec: 'specification/catalog/lookup',
    schema: 'schemas/shopping/catalog_lookup.json',
  },
  'dev.ucp.shopping.cart': { spec: 'specification/cart', schema: 'schemas/shopping/cart.json' },
  'dev.ucp.shopping.checkout': { spec: 'specification/checkout', schema: 'schemas/shopping/checkout.json' },
  'dev.ucp.shopping.order': { spec: 'specification/order', schema: 'schemas/shopping/order.json' },
  'dev.ucp.shopping.fulfillment': {
    spec: 'specification/fulfillment',
    schema: 'schemas/shopping/fulfillment.json',
    extends: ['dev.ucp.shopping.checkout'],
  },
  'dev.ucp.shopping.discount': {
    spec: 'specification/discount',
    schema: 'schemas/shopping/discount.json',
    extends: ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.cart'],
  },
  'dev.ucp.shopping.buyer_consent': {
    spec: 'specification/buyer-consent',
    schema: 'schemas/shopping/buyer_consent.json',
    extends: ['dev.ucp.shopping.checkout'],
  },
};

/** The names of {@link CAPABILITIES}, as the profile advertises them. */
export const CAPABILITY_NAMES: readonly CapabilityName[] = keysOf(CAPABILITIES);

/** Returns the `extends` of a capability as the protocol writes it: one name, or a list of several. */
export function parentsOf(name: CapabilityName): string | string[] | undefined {
  const { extends: parents } = CAPABILITIES[name];
  return parents?.length === 1 ? parents[0] : parents && [...parents];
}

/** Returns the addresses of a capability's documents. */
export const documentsOf = (name: CapabilityName) => ({
  spec: `${UCP_DOCUMENTS}/${CAPABILITIES[name].spec}`,
  schema: `${UCP_DOCUMENTS}/${CAPABILITIES[name].schema}`,
});
