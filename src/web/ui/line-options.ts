import { isRecord } from '../../kernel/core/records.ts';
import { localTime, zoneName } from '../../kernel/values/time-zone.ts';

type Options = Readonly<Record<string, unknown>>;

/** A downloadable file of a line item. */
interface Link {
  readonly id: number;
  readonly title: string;
}

/** What was chosen for a line item. */
interface ChosenOptions {
  readonly options: Options;
  readonly links: readonly Link[];
  /** The choices in words, where the order has them. */
  readonly selected: readonly {
    readonly name: string;
    readonly value: string;
    readonly timezone?: string | undefined;
  }[];
}

/**
 * Returns the options of a line item as text: variant attributes, file titles, the booked time, bundle choices, and any
 * further options that the storefront stored.
 */
export const lineOptions = ({ options, links, selected }: ChosenOptions): string =>
  Object.entries(options)
    .flatMap((option) => wordsOf(option, { options, links, selected }))
    .join(' · ');

/** Returns the texts of one option; none when another option already covers it. */
function wordsOf(
  [name, value]: readonly [string, unknown],
  { options, links, selected }: ChosenOptions,
): string[] {
  if (name === 'variant_id' && isRecord(options.attributes)) return [];
  if (name === 'bundle_option_qty' && isRecord(options.bundle_options)) return [];
  if (name === 'links' && Array.isArray(value)) {
    return [`${value.length === 1 ? 'file' : 'files'}: ${value.map((id) => titleOf(id, links)).join(', ')}`];
  }
  if (!isRecord(value)) return [pairText([name, value])];
  switch (name) {
    case 'attributes':
      return Object.entries(value).map(pairText);
    case 'booking':
      return [span(value, selected[0]?.timezone)];
    case 'bundle_options':
      return selected.length > 0
        ? selected.map((one) => `${one.name}: ${one.value}`)
        : groups(value, options.bundle_option_qty);
    default:
      return [pairText([name, value])];
  }
}

const pairText = ([name, value]: readonly [string, unknown]): string =>
  `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;

const titleOf = (id: unknown, links: readonly Link[]): string =>
  links.find((link) => link.id === id)?.title ?? `no. ${id}`;

/**
 * Returns `2027-05-01 09:00–10:00 Europe/Berlin`; the end includes its date when the days differ. In
 * orders without a zone, which an earlier version of the service stored, in UTC.
 */
function span({ from, to }: Options, zone: string | undefined): string {
  const timeOf = (at: unknown) => (zone ? localTime(String(at), zone) : String(at).slice(0, 16));
  const [begin = '', end = ''] = [from, to].map((at) => timeOf(at).replace('T', ' '));
  const upTo = end.startsWith(begin.slice(0, 10)) ? end.slice(11) : end;
  return `${begin}–${upTo} ${zone ? zoneName(zone) : 'UTC'}`;
}

/** Returns `group 1: items 5, 6, 2 times` for each group of a bundle, in orders without names. */
const groups = (chosen: Options, counts: unknown): string[] =>
  Object.entries(chosen).map(([group, items]) => {
    const ids = [items].flat();
    const times = (isRecord(counts) && counts[group]) || 1;
    return `group ${group}: ${ids.length === 1 ? 'item' : 'items'} ${ids.join(', ')}${times === 1 ? '' : `, ${times} times`}`;
  });
