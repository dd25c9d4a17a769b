import type { Child } from 'hono/jsx';
import { describedBy, type Filled, Hints, isSent, labelled, list, Part } from '../../web/index.ts';

/** A product or category that a picker offers. */
export interface Choosable {
  readonly id: number;
  readonly label: string;
  /** Distinguishes it from others with the same label, such as its SKU. */
  readonly detail?: string | undefined;
  /** Levels below the root, for a tree. */
  readonly depth?: number;
}

/** Largest numbers of chosen and of found entries that a picker lists: a page stays within its size. */
export const MAX_CHOSEN = 16;
export const MAX_FOUND = 10;

/** Returns the name of a picker's search field. */
const searchNameOf = (name: string): string => `_q.${name}`;

/** Returns what was typed into a picker's search field, without spaces around it. */
export const searchOf = ({ request }: Pick<Filled, 'request'>, name: string): string =>
  (request.sent[searchNameOf(name)]?.[0] ?? '').trim();

/** Returns the submitted ids of a picker, or null before the form is submitted. */
export function sentIds({ request }: Pick<Filled, 'request'>, name: string): number[] | null {
  if (!isSent(request)) return null;
  const sent = pickedIds.safeParse(request.sent[name]);
  return sent.success ? sent.data : [];
}

/** The chosen ids of a picker for several, each once, in the order of the page. */
export const pickedIds = list
  .transform((values) => values.flatMap((value) => value.split(',')).filter(Boolean))
  .refine((all) => all.every((part) => /^[1-9]\d{0,14}$/.test(part)), 'must be chosen from the list')
  .transform((all) => [...new Set(all.map(Number))]);

/** The chosen id of a picker for one, or null. A search may have left the choice twice; the last one counts. */
export const pickedId = pickedIds.transform((ids) => ids.at(-1) ?? null);

/** What every picker is given. */
export interface PickerProps {
  readonly f: Filled;
  readonly name: string;
  readonly legend: string;
  readonly hint?: string;
  /** Whether one entry is chosen, or several, which is the default. */
  readonly one?: boolean;
  /** The label of "no choice" in a picker for one; without it, one must be chosen. */
  readonly none?: string;
}

interface ListProps extends PickerProps {
  /** The chosen entries that are listed. */
  readonly chosen: readonly Choosable[];
  /** Ids of further chosen entries. */
  readonly rest?: readonly number[];
  /** Entries that are chosen where they are offered: the whole list is shown. */
  readonly inPlace?: ReadonlySet<number>;
  /** What the search found, or what is offered without one; entries of `chosen` among it are left out. */
  readonly offered: readonly Choosable[];
  /** A note below the offered entries: that there are more, or none. */
  readonly note?: Child;
  /** The label of the search field; without one, there is no search. */
  readonly search?: string;
}

/** The chosen entries, or the choice of none. */
const ChosenEntries = (props: ListProps & { readonly hidden: readonly number[] }) => {
  const { name, one, none, chosen, inPlace, hidden } = props;
  return (
    <div class="chosen">
      {one && none !== undefined && (
        <Entry
          one
          name={name}
          entry={{ id: 0, label: none }}
          checked={chosen.length === 0 && !inPlace?.size}
        />
      )}
      {chosen.map((entry) => (
        <Entry one={one} name={name} entry={{ ...entry, depth: 0 }} checked />
      ))}
      {!one && !inPlace && chosen.length === 0 && <p class="hint">None chosen.</p>}
      {hidden.length > 0 && (
        <p class="hint">
          <input type="hidden" name={name} value={hidden.join(',')} />
          {hidden.length} more are chosen. Search for one to remove it.
        </p>
      )}
    </div>
  );
};

/** A group of checkboxes or radio buttons with a search, which works without JavaScript by redrawing the form. */
export const ChoiceList = (props: ListProps) => {
  const { f, name, legend, hint, one, chosen, rest = [], inPlace, offered, note } = props;
  const id = labelled({ f, name, label: legend });
  const listed = new Set(chosen.map((entry) => entry.id));
  const found = offered.filter((entry) => !listed.has(entry.id));
  const hidden = rest.filter((other) => !found.some((entry) => entry.id === other));
  return (
    <fieldset class="picker" id={id} aria-describedby={describedBy({ f, name, hint })}>
      <legend>{legend}</legend>
      <Hints f={f} name={name} hint={hint} />
      <ChosenEntries {...props} hidden={hidden} />
      {props.search && <Search f={f} name={name} label={props.search} />}
      <div class="found" aria-live="polite">
        {found.map((entry) => (
          <Entry
            one={one}
            name={name}
            entry={entry}
            checked={inPlace?.has(entry.id) || rest.includes(entry.id)}
          />
        ))}
        {note && <p class="hint">{note}</p>}
      </div>
      <Part name="pickers" />
    </fieldset>
  );
};

interface EntryProps {
  readonly name: string;
  readonly one?: boolean | undefined;
  readonly entry: Choosable;
  readonly checked?: boolean;
}

const Entry = ({ name, one, entry: { id, label, detail, depth = 0 }, checked }: EntryProps) => (
  <label class={depth > 0 ? `level-${depth}` : undefined}>
    <input type={one ? 'radio' : 'checkbox'} name={name} value={id === 0 ? '' : id} checked={checked} />
    <span>
      {label}
      {detail && <small> {detail}</small>}
    </span>
  </label>
);

/** The search field, and the button that redraws the form with what it finds. */
const Search = ({
  f,
  name,
  label,
}: {
  readonly f: Filled;
  readonly name: string;
  readonly label: string;
}) => (
  <p class="find">
    <input
      type="search"
      name={searchNameOf(name)}
      value={searchOf(f, name) || undefined}
      aria-label={label}
      placeholder={label}
      maxlength={100}
    />
    <button type="submit" class="quiet" name="_find" value={name} formnovalidate>
      Search
    </button>
  </p>
);
