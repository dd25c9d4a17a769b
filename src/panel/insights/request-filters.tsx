import { type FoundCalls, STATUS_CLASSES } from '../../access/index.ts';
import { clip, type PageRequest, Part } from '../../web/index.ts';
import { FilterSelect, ListFilters } from '../search-form.tsx';
import type { App } from './applications-of.ts';

/** The path of the request log. */
export const HERE = '/developer/request-log';
/** The most applications to choose from; the others' logs are linked from the overview. */
const MAX_CHOICES = 50;
/** The longest part of a name in the choice of applications. */
const CHOICE_LENGTH = 32;

interface FilterProps {
  readonly request: PageRequest;
  readonly all: readonly App[];
  readonly chosen: App;
  readonly found: FoundCalls;
}

/** The choice of application, status, method and route. */
export const Filter = ({ request, all, chosen, found }: FilterProps) => {
  const choices = all.slice(0, MAX_CHOICES);
  const shown = choices.includes(chosen) ? choices : [chosen, ...choices];
  return (
    <ListFilters action={HERE}>
      <FilterSelect
        name="application"
        label="Application"
        options={shown.map(({ id, name }) => [String(id), clip(name, CHOICE_LENGTH)])}
        value={String(chosen.id)}
      />
      <FilterSelect
        name="status"
        label="Status"
        options={[['', 'Any'], ...STATUS_CLASSES]}
        value={request.query('status')}
      />
      <FilterSelect
        name="method"
        label="Method"
        options={[['', 'Any'], ...found.methods]}
        value={request.query('method')}
      />
      <FilterSelect
        name="route"
        label="Route"
        options={[['', 'Any'], ...found.routes]}
        value={request.query('route')}
      />
    </ListFilters>
  );
};

/** The search for one request. */
export const Lookup = ({ id }: { id: string }) => (
  <form class="search" action={HERE}>
    <Part name="filters" />
    <label>
      Request id
      <input name="request" type="search" value={id} maxlength={64} />
    </label>
    <button type="submit" class="quiet">
      Find request
    </button>
  </form>
);
