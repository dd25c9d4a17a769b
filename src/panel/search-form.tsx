import type { Child } from 'hono/jsx';
import {
  type Answer,
  type FormError,
  type Outcome,
  type PageRequest,
  type PagesProps,
  Part,
  type View,
} from '../web/index.ts';

/** What a list is asked for: the parameters of its address that have a value. */
export type Filters = Readonly<Record<string, string>>;

/** Returns the filters of a list that its address gives a value, without white space around them. */
export const givenFilters = (request: PageRequest, names: readonly string[]): Filters =>
  Object.fromEntries(
    names.map((name) => [name, request.query(name).trim()]).filter(([, value]) => value !== ''),
  );

/** Returns whether a list is filtered: it may only be sorted. */
const isFiltered = (filters: Filters): boolean => Object.keys(filters).some((name) => name !== 'sort');

/** Returns the address of a list with these filters. */
export function filteredPath(path: string, filters: Filters): string {
  const query = new URLSearchParams(filters);
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Returns the pages of a list with these filters. */
export const filteredPages = (path: string, filters: Filters, meta: PagesProps['meta']): PagesProps => ({
  meta,
  href: (page) => filteredPath(path, { ...filters, page: String(page) }),
});

/** The properties of a list's own form of filters. */
export interface FilterFormProps {
  readonly filters: Filters;
  /** Why the filters were refused. */
  readonly formError: FormError | null;
}

/** A page that lists what an answer holds, below the form of its filters. */
interface FilteredList<T> extends Omit<View, 'body' | 'status'> {
  readonly answer: Answer<T>;
  /** Returns what stands above the list: the form, with the reason where the filters were refused. */
  readonly above: (formError: FormError | null) => Child;
  readonly list: (found: T) => Child;
}

/** Returns the page of a filtered list. Filters that the API refuses leave the form, which says why, without a list. */
export function filteredList<T>({ answer, above, list, ...view }: FilteredList<T>): View | Outcome {
  if (!answer.ok && answer.formError.status !== 422) return answer;
  const formError = answer.ok ? null : answer.formError;
  const body = (
    <>
      {above(formError)}
      {answer.ok && list(answer.value)}
    </>
  );
  return { ...view, body, ...(formError && { status: formError.status }) };
}

interface NoneFoundProps {
  readonly filters: Filters;
  /** The plural of an entry: "orders". */
  readonly things: string;
  /** The address of the whole list. */
  readonly all: string;
  /** What an empty list says without filters. */
  readonly children: Child;
}

/** Shown in place of a list without entries: that none matches the filters, or that there is none. */
export const NoneFound = ({ filters, things, all, children }: NoneFoundProps): Child =>
  isFiltered(filters) ? (
    <p>
      No {things} found. <a href={all}>Show all {things}</a>
    </p>
  ) : (
    children
  );

/** A value of a filter and its label. */
export type FilterOption = readonly [value: string, label: string];

interface FilterSelectProps {
  readonly name: string;
  readonly label: string;
  /** A value alone is its own label. */
  readonly options: readonly (FilterOption | string)[];
  /** The chosen one; nothing is the option "". */
  readonly value: string | null | undefined;
}

/** A filter with a few values. */
export const FilterSelect = ({ name, label, options, value }: FilterSelectProps) => (
  <label>
    {label}
    <select name={name}>
      {options.map((option) => {
        const [own, text] = typeof option === 'string' ? [option, option] : option;
        return (
          <option value={own} selected={own === (value ?? '')}>
            {text}
          </option>
        );
      })}
    </select>
  </label>
);

interface SelectableProps {
  /** The page that changes what is ticked. */
  readonly action: string;
  /** Whether there is something to tick, for who may change it. */
  readonly selectable: boolean;
  readonly list: Child;
  /** Further links beside the button. */
  readonly more?: Child;
}

/** A list whose entries are ticked to be changed together. */
export const Selectable = ({ action, selectable, list, more }: SelectableProps): Child =>
  selectable ? (
    <form action={action} id="chosen">
      <Part name="select" />
      {list}
      <p class="actions">
        <button type="submit" class="secondary">
          Change selected
        </button>
        {more}
      </p>
    </form>
  ) : (
    list
  );

interface ListFiltersProps {
  readonly action: string;
  /** The label of the button. */
  readonly submit?: string;
  /** The filters. */
  readonly children?: Child;
}

/** The form that filters a list; what it asks is part of the address, so that a link keeps it. */
export const ListFilters = ({ action, submit = 'Filter', children }: ListFiltersProps) => (
  <form class="search" action={action}>
    <Part name="filters" />
    {children}
    <button type="submit">{submit}</button>
  </form>
);

interface SearchFormProps extends Omit<ListFiltersProps, 'submit'> {
  readonly filters: Filters;
  /** What the search looks at: "Name or e-mail". */
  readonly label: string;
  readonly maxlength: number;
  /** Why the search was refused. */
  readonly formError?: FormError | null;
}

/** The form that searches and filters a list; what it asks is part of the address, so that a link keeps it. */
export const SearchForm = ({ action, filters, label, maxlength, formError, children }: SearchFormProps) => (
  <search>
    <form class="search" action={action}>
      <Part name="filters" />
      <label>
        {label}
        <input type="search" name="q" value={filters.q} maxlength={maxlength} />
      </label>
      {children}
      <button type="submit">Search</button>
      {isFiltered(filters) && <a href={action}>Clear</a>}
    </form>
    {formError && (
      <p class="error" role="alert">
        {Object.entries(formError.errors).map(([name, messages]) => `${name}: ${messages.join('; ')}. `)}
      </p>
    )}
  </search>
);
