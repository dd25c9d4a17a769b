import { isRecord } from '../../kernel/core/records.ts';
import { bookedTime, localSpanText } from '../../kernel/values/time-zone.ts';

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
  readonly selected: readonly Choice[];
}

/** A choice in words; one with a time zone is an instant of a booking. */
interface Choice {
  readonly name: string;
  readonly value: string;
  readonly timezone?: string | undefined;
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
      // Orders that an earlier version of the service stored have no choices in words.
      return [bookedTime(selected) ?? localSpanText([String(value.from), String(value.to)], 'UTC')];
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

/** Returns `group 1: items 5, 6, 2 times` for each group of a bundle, in orders without names. */
const groups = (chosen: Options, counts: unknown): string[] =>
  Object.entries(chosen).map(([group, items]) => {
    const ids = [items].flat();
    const times = (isRecord(counts) && counts[group]) || 1;
    return `group ${group}: ${ids.length === 1 ? 'item' : 'items'} ${ids.join(', ')}${times === 1 ? '' : `, ${times} times`}`;
  });
