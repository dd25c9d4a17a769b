import type { Filled } from '../page.ts';
import { idOf } from './summary.tsx';

/** A field, and what it shows beside its label. */
interface Described {
  readonly f: Filled;
  readonly name: string;
  readonly hint?: string | undefined;
  /** By default the errors of the field and its parts. */
  readonly errors?: readonly string[];
}

/** Returns the errors of a field and of its parts (one line of a list, one currency of several). */
export function errorsOf({ f, name }: Pick<Described, 'f' | 'name'>): string[] {
  return Object.entries(f.formError?.errors ?? {}).flatMap(([field, messages]) => {
    if (field === name) return messages;
    if (!field.startsWith(`${name}.`)) return [];
    const part = field.slice(name.length + 1);
    const where = /^\d+$/.test(part) ? `line ${Number(part) + 1}` : part;
    return messages.map((message) => `${where}: ${message}`);
  });
}

/** Returns the errors of a field without those of its parts, for a group whose parts show their own. */
export const ownErrorsOf = ({ formError }: Filled, name: string): readonly string[] =>
  formError?.errors[name] ?? [];

/** Returns the errors of a list of rows that no row shows: its own, and of parts that rows make by another name. */
export function errorsBesideRows({ request, formError }: Filled, name: string): readonly string[] {
  const others = Object.entries(formError?.errors ?? {}).filter(([path]) => !isOfRow(path, name));
  return errorsOf({
    f: { request, formError: formError && { ...formError, errors: Object.fromEntries(others) } },
    name,
  });
}

const isOfRow = (path: string, list: string): boolean => /^\.\d+(\.|$)/.test(path.slice(list.length));

/** Returns the `aria-describedby` of a field, which names what {@link Hints} shows; undefined for nothing. */
export function describedBy({ hint, errors, ...field }: Described): string | undefined {
  const id = idOf(field.name);
  const hasErrors = (errors ?? errorsOf(field)).length > 0;
  return [hint && `${id}-hint`, hasErrors && `${id}-error`].filter(Boolean).join(' ') || undefined;
}

/** The errors of a field, shown beside it. */
export const FieldErrors = ({ f, name, errors = errorsOf({ f, name }) }: Described) =>
  errors.length > 0 ? (
    <strong class="error" id={`${idOf(name)}-error`}>
      {errors.join('; ')}
    </strong>
  ) : null;

/** The hint and the errors of a field, which its input or group names by {@link describedBy}. */
export const Hints = (props: Described) => (
  <>
    {props.hint && (
      <small class="hint" id={`${idOf(props.name)}-hint`}>
        {props.hint}
      </small>
    )}
    <FieldErrors {...props} />
  </>
);
