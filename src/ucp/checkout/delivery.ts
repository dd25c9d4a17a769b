import type { PostalAddress } from '../../kernel/values/postal-address.ts';
import { type BasketDelivery, contextAddress } from '../cart/contents.ts';
import { countryCode } from '../cart/countries.ts';
import type { Notes } from '../cart/notes.ts';
import type { Destination } from '../cart/schemas.ts';
import type { UcpContext } from '../context.ts';
import type { Message } from '../protocol/messages.ts';
import type { CheckoutInput, DestinationInput, MethodInput } from './schemas.ts';

/** The method that every checkout with goods has, and its place in requests and responses. */
const METHOD_PATH = '$.fulfillment.methods[0]';

/** What a checkout kept of the requests before. */
type KnownDelivery = Pick<Notes, 'destinations' | 'destinationId'>;

/**
 * Returns where the goods of a checkout go. Destinations that a method doesn't repeat stay; the only one counts as
 * selected. Without one the context's country applies, for the estimate of tax and shipping.
 */
export function checkoutDelivery(
  ctx: UcpContext,
  input: Pick<CheckoutInput, 'fulfillment' | 'context' | 'buyer'>,
  known: KnownDelivery,
): BasketDelivery {
  const { negotiated } = ctx;
  const hasConsent = negotiated.has('dev.ucp.shopping.buyer_consent');
  const consent = (hasConsent && input.buyer?.consent) || null;
  const methods = negotiated.has('dev.ucp.shopping.fulfillment') ? (input.fulfillment?.methods ?? []) : [];
  const method = methods.find(({ type }) => type !== 'pickup');
  const messages = methods.some(({ type }) => type === 'pickup') ? [NO_PICKUP] : [];
  const chosen = method ? destinationsOf(method, known) : { destinations: [], destinationId: null };
  const selected = chosen.destinations.find(({ id }) => id === chosen.destinationId);
  const address = selected ? postalAddress(selected) : null;
  return {
    address: address ?? contextAddress(input.context),
    shippingMethod:
      method?.groups?.find(({ selected_option_id }) => selected_option_id)?.selected_option_id ?? null,
    notes: { ...chosen, consent },
    messages: [
      ...messages,
      ...ambiguousIds(method),
      ...wrongDestination(method, chosen),
      ...(selected && !address ? [NO_COUNTRY] : []),
    ],
  };
}

const NO_PICKUP: Message = {
  type: 'warning',
  code: 'method_unavailable',
  path: '$.fulfillment.methods',
  content: 'The shop has no pickup. The goods are shipped.',
};

const NO_COUNTRY: Message = {
  type: 'error',
  code: 'address_undeliverable',
  severity: 'recoverable',
  path: `${METHOD_PATH}.destinations`,
  content: 'The destination needs a country: the two letters of ISO 3166-1.',
};

/** Returns the destinations of a method, each with an id, and which of them is selected. */
function destinationsOf(
  { destinations: given, selected_destination_id: wanted }: MethodInput,
  known: KnownDelivery,
): KnownDelivery {
  const destinations = given ? withIds(given) : known.destinations;
  const [only, second] = destinations;
  const before = given ? null : known.destinationId;
  const fallback = wanted === undefined ? before : wanted;
  return { destinations, destinationId: fallback || (second ? null : (only?.id ?? null)) };
}

/** Returns whether a destination's id is that of one before it: the first keeps the id. */
const isRepeated = ({ id }: DestinationInput, n: number, all: readonly DestinationInput[]): boolean =>
  Boolean(id) && all.findIndex((one) => one.id === id) < n;

const withIds = (given: readonly DestinationInput[]): Destination[] => {
  const taken = new Set(given.flatMap(({ id }) => id || []));
  let count = 0;
  const distinct = given.filter((one, n, all) => !isRepeated(one, n, all));
  return distinct.map(({ id, ...address }) => {
    if (id) return { ...address, id };
    do count += 1;
    while (taken.has(`dest_${count}`));
    return { ...address, id: `dest_${count}` };
  });
};

/** Returns an error for ids that name several destinations: which one is meant can't be known. */
function ambiguousIds(method: MethodInput | undefined): Message[] {
  const ids = new Set(method?.destinations?.filter(isRepeated).map(({ id }) => id));
  return [...ids].map((id) => ({
    type: 'error',
    code: 'invalid_destination',
    severity: 'recoverable',
    path: `${METHOD_PATH}.destinations`,
    content: `Several destinations have the id '${id}', and only the first is kept. Each needs an id of its own.`,
  }));
}

const wrongDestination = (
  method: MethodInput | undefined,
  { destinations, destinationId }: KnownDelivery,
): Message[] =>
  !method || destinationId === null || destinations.some(({ id }) => id === destinationId)
    ? []
    : [
        {
          type: 'error',
          code: 'invalid_destination',
          severity: 'recoverable',
          path: `${METHOD_PATH}.selected_destination_id`,
          content: 'The selected destination is not one of the destinations.',
        },
      ];

/** Returns a destination as our address; null without a country that we know. */
function postalAddress(destination: Destination): PostalAddress | null {
  const country = countryCode(destination.address_country);
  if (country === null) return null;
  const given = {
    first_name: destination.first_name,
    last_name: destination.last_name,
    line1: destination.street_address,
    line2: destination.extended_address,
    city: destination.address_locality,
    region: destination.address_region,
    postal_code: destination.postal_code,
    phone: destination.phone_number,
  };
  const filled = Object.entries(given).filter(([, value]) => value !== undefined);
  return { country, ...Object.fromEntries(filled) };
}
