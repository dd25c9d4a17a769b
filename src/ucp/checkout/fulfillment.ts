import type { AgentCart } from '../../cart/index.ts';
import { formatMoney, toMinor } from '../../kernel/values/money.ts';
import type { PostalAddress } from '../../kernel/values/postal-address.ts';
import type { StoredOrder } from '../../orders/index.ts';
import { readNotes } from '../cart/notes.ts';
import { lineItemId } from '../cart/present.ts';
import { orderLineId } from '../orders/order-line.ts';
import { addressOf } from '../orders/present-order.ts';
import type { Fulfillment } from './schemas.ts';

type Method = AgentCart['shippingMethods'][number];
type Option = Fulfillment['methods'][number]['groups'][number]['options'][number];

/** Where the goods of a checkout go, and the options for it. */
interface Delivery extends Pick<Fulfillment['methods'][number], 'destinations' | 'selected_destination_id'> {
  readonly options: Option[];
  readonly selectedOption: string | null;
}

/** Returns the one method with its one group; undefined if nothing is shipped. */
function fulfillmentOf(shipped: string[], delivery: Delivery): Fulfillment | undefined {
  if (shipped.length === 0) return undefined;
  const { destinations, selected_destination_id, options, selectedOption: selected_option_id } = delivery;
  const group = { id: 'parcel', line_item_ids: shipped, options, selected_option_id };
  const method = { id: 'shipping', type: 'shipping' as const, line_item_ids: shipped };
  return {
    methods: [{ ...method, ...(destinations && { destinations }), selected_destination_id, groups: [group] }],
  };
}

/** Returns how the goods of a cart get to the buyer; undefined if nothing is shipped. */
export function presentFulfillment({ lines, agent, ...cart }: AgentCart): Fulfillment | undefined {
  const { destinations, destinationId } = readNotes(agent.notes);
  const selected = destinations.some(({ id }) => id === destinationId) ? destinationId : null;
  const methods = selected === null ? [] : cart.shippingMethods;
  const shipped = lines.filter(({ ships }) => ships).map(lineItemId);
  return fulfillmentOf(shipped, {
    destinations: destinations.length > 0 ? [...destinations] : undefined,
    selected_destination_id: selected,
    options: methods.map((method) => optionOf(method, methods, cart.currency)),
    selectedOption: methods.find((method) => method.selected)?.id ?? null,
  });
}

/** The fields of an address that say where it is. */
const PLACE = ['line1', 'line2', 'city', 'region', 'postal_code', 'country'] as const;

const isSamePlace = (a: PostalAddress, b: PostalAddress | null): boolean =>
  PLACE.every((field) => a[field] === b?.[field]);

/**
 * Returns how the goods of an order get to the buyer, who may have changed it on the page. The agent's destination
 * keeps its id if it is the order's.
 */
export function orderFulfillment(
  { row, lines }: StoredOrder,
  { agent, address }: AgentCart,
): Fulfillment | undefined {
  const { shippingAddress: to, shippingMethod: method } = row;
  const known = to && isSamePlace(to, address) ? readNotes(agent.notes).destinationId : null;
  const id = known ?? 'order';
  const totals = [{ type: 'total' as const, amount: row.shipping }];
  const shipped = lines.filter(({ ships }) => ships).map(orderLineId);
  return fulfillmentOf(shipped, {
    destinations: to ? [{ ...addressOf(to), id }] : undefined,
    selected_destination_id: to && id,
    options: method ? [{ id: method.id, title: method.name, totals }] : [],
    selectedOption: method?.id ?? null,
  });
}

/** Returns a shipping method as an option. Where methods share a name, the price tells them apart. */
function optionOf(method: Method, methods: readonly Method[], currency: string): Option {
  const { id, name, price } = method;
  const namesakes = methods.filter((one) => one.name === name);
  const description = [method.description, daysOf(method)].filter(Boolean).join(', ');
  const title =
    namesakes.length === 1
      ? name
      : `${name}, ${formatMoney(price, currency)} (${namesakes.indexOf(method) + 1})`;
  return {
    id,
    title,
    ...(description && description !== title && { description }),
    // The price was made from minor units.
    totals: [{ type: 'total', amount: toMinor(price, currency) ?? 0 }],
  };
}

/** Returns a delivery time in words; null if it is not stated. */
function daysOf({ min_days: least, max_days: most }: Method): string | null {
  const days = (count: number | string) => `${count} ${(most ?? least) === 1 ? 'day' : 'days'}`;
  if (most === null) return least === null ? null : `Arrives in ${days(least)} or more`;
  if (least === null) return `Arrives in up to ${days(most)}`;
  return `Arrives in ${days(least === most ? most : `${least}–${most}`)}`;
}
