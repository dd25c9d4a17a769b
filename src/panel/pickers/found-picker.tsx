import { capitalized } from '../../kernel/text/text.ts';
import { type Answer, clip } from '../../web/index.ts';
import { ChoiceList, type Choosable, MAX_CHOSEN, type PickerProps, searchOf, sentIds } from './choices.tsx';

/** What a picker shows that searches through the API: names of chosen entries, and what its search found. */
export interface FoundChoices {
  readonly known: readonly Choosable[];
  /** Null without a search. */
  readonly found: readonly Choosable[] | null;
  /** Entries that match the search, the listed ones included; null if they are more than were counted. */
  readonly total: number | null;
}

/** What to load: the picker's name and the stored choice whose names the page doesn't have. */
export interface Wanted extends Pick<PickerProps, 'name'> {
  readonly stored?: readonly number[];
}

/** Some of the entries that match, and how many do; null if they are more than were counted. */
interface Matches {
  readonly entries: readonly Choosable[];
  readonly total: number | null;
}

/** How a picker reads its entries: by their ids, at most {@link MAX_CHOSEN}, and by what was typed. */
interface Source {
  byIds(ids: readonly number[]): Promise<Answer<Matches>>;
  search(q: string): Promise<Answer<Matches>>;
}

/**
 * Loads the names of the chosen entries and what was searched for. Calls the API only for what there is to read:
 * nothing for a picker without a choice.
 */
export async function loadFound(
  f: Pick<PickerProps['f'], 'request'>,
  { name, stored = [] }: Wanted,
  source: Source,
): Promise<Answer<FoundChoices>> {
  const ids = (sentIds(f, name) ?? stored).slice(0, MAX_CHOSEN);
  const q = searchOf(f, name);
  const [known, found] = await Promise.all([
    ids.length > 0 ? source.byIds(ids) : null,
    q === '' ? null : source.search(q),
  ]);
  if (known?.ok === false) return known;
  if (found?.ok === false) return found;
  return {
    ok: true,
    value: {
      known: known?.value.entries ?? [],
      found: found?.value.entries ?? null,
      total: found === null ? 0 : found.value.total,
    },
  };
}

interface FoundPickerProps extends PickerProps {
  readonly choices: FoundChoices;
  /** The stored choice, shown until the form is submitted. An entry without a known name is shown by its id. */
  readonly stored: readonly (Choosable | number)[];
  /** The kind of entry, such as "product". */
  readonly kind: string;
  /** What it is searched by, such as "name or SKU". */
  readonly by: string;
}

/** A picker whose entries are found through the API. Read the choice with `pickedIds` or `pickedId`. */
export const FoundPicker = ({ choices, stored, kind, by, ...props }: FoundPickerProps) => {
  const { f, name } = props;
  const named = stored.flatMap((entry) => (typeof entry === 'number' ? [] : [entry]));
  const known = new Map([...named, ...choices.known].map((entry) => [entry.id, entry]));
  const ids = sentIds(f, name) ?? stored.map((entry) => (typeof entry === 'number' ? entry : entry.id));
  const q = searchOf(f, name);
  const unnamed = capitalized(kind);
  return (
    <ChoiceList
      {...props}
      chosen={ids.slice(0, MAX_CHOSEN).map((id) => known.get(id) ?? { id, label: `${unnamed} ${id}` })}
      rest={ids.slice(MAX_CHOSEN)}
      offered={choices.found ?? []}
      note={q === '' ? undefined : noteOf(q, choices, kind)}
      search={`Search ${kind}s by ${by}`}
    />
  );
};

function noteOf(q: string, { found, total }: FoundChoices, kind: string): string | undefined {
  if (total === 0) return `No ${kind} matches “${clip(q, 40)}”.`;
  if (total === null) return 'More match. Type more to find them.';
  const more = total - (found?.length ?? 0);
  return more === 0 ? undefined : `${more} more match. Type more to find them.`;
}
