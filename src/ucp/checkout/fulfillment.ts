import type { AgentCart } from '../../cart/index.ts';
import { formatMoney, toMinor } from '../../kernel/values/money.ts';
import { readNotes } from '../cart/notes.ts';
import { lineItemId } from '../cart/present.ts';
import type { Fulfillment } from './schemas.ts';

type Method = AgentCart['shippingMethods'][number];
type Option = Fulfillment['methods'][number]['groups'][number]['options'][number];

/** Returns how the goods of a cart get to the buyer; undefined if nothing is shipped. */
export function presentFulfillment({ lines, agent, ...cart }: AgentCart): Fulfillment | undefined {
  const shipped = lines.filter(({ ships }) => ships).map(lineItemId);
  if (shipped.length === 0) return undefined;
  const { destinations, destinationId } = readNotes(agent.notes);
  const selected = destinations.some(({ id }) => id === destinationId) ? destinationId : null;
  const methods = selected === null ? [] : cart.shippingMethods;
  return {
    methods: [
      {
        ...{ id: 'shipping', type: 'shipping', line_item_ids: shipped },
        ...(destinations.length > 0 && { destinations: [...destinations] }),
        selected_destination_id: selected,
        groups: [
          {
            ...{ id: 'parcel', line_item_ids: shipped },
            options: methods.map((method) => optionOf(method, methods, cart.currency)),
            selected_option_id: methods.find((method) => method.selected)?.id ?? null,
          },
        ],
      },
    ],
  };
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
    ...{ id, title },
    ...(description && description !== title && { description }),
    // The price was made from minor units.
    totals: [{ type: 'total', amount: toMinor(price, currency) ?? 0 }],
  };
}

function daysOf({ min_days: least, max_days: most }: Method): string | null {
  const days = [...new Set([least, most].filter((one) => one !== null))];
  if (days.length === 0) return null;
  return `Arrives in ${days.join('–')} ${days.at(-1) === 1 ? 'day' : 'days'}`;
}
