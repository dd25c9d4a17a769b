import type { Child } from 'hono/jsx';
import { type FormError, type PageRequest, Part } from '../web/index.ts';

/** Returns the filters of a list that its address gives a value, without white space around them. */
export const givenFilters = (request: PageRequest, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => [name, request.query(name).trim()]).filter(([, value]) => value !== ''),
  );

/** A value of a filter and its label. */
export type FilterOption = readonly [value: string, label: string];

interface FilterSelectProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly FilterOption[];
  /** The chosen one; nothing is the option "". */
  readonly value: string | null | undefined;
}

/** A filter with a few values. */
export const FilterSelect = ({ name, label, options, value }: FilterSelectProps) => (
  <select name={name} aria-label={label}>
    {options.map(([option, text]) => (
      <option value={option} selected={option === (value ?? '')}>
        {text}
      </option>
    ))}
  </select>
);

interface ListFiltersProps {
  readonly action: string;
  /** The filters. */
  readonly children: Child;
}

/** The form that filters a list; what it asks is part of the address, so that a link keeps it. */
export const ListFilters = ({ action, children }: ListFiltersProps) => (
  <form class="search" action={action}>
    <Part name="filters" />
    {children}
    <button type="submit">Filter</button>
  </form>
);

interface SearchFormProps extends ListFiltersProps {
  /** What was searched for. */
  readonly q: string | undefined;
  /** What the search looks at: "Name or e-mail". */
  readonly label: string;
  readonly maxlength: number;
  /** Why the search was refused. */
  readonly formError?: FormError | null;
  /** Whether the list is searched or filtered now, so that a link can show all of it. */
  readonly filtered: boolean;
}

/** The form that searches and filters a list; what it asks is part of the address, so that a link keeps it. */
export const SearchForm = ({
  action,
  q,
  label,
  maxlength,
  formError,
  filtered,
  children,
}: SearchFormProps) => (
  <search>
    <form class="search" action={action}>
      <Part name="filters" />
      <input type="search" name="q" value={q} maxlength={maxlength} aria-label={label} placeholder={label} />
      {children}
      <button type="submit">Search</button>
      {filtered && <a href={action}>Clear</a>}
    </form>
    {formError && (
      <p class="error" role="alert">
        {Object.entries(formError.errors).map(([name, messages]) => `${name}: ${messages.join('; ')}. `)}
      </p>
    )}
  </search>
);
