import type { FormError } from '../api-client.ts';

/** Returns the errors of fields under other names. Fields that get the same name share their messages, each once. */
export function renameErrors(formError: FormError, rename: (field: string) => string): FormError {
  const renamed = Map.groupBy(Object.entries(formError.errors), ([field]) => rename(field));
  const errors = [...renamed].map(([field, same]) => [
    field,
    [...new Set(same.flatMap(([, messages]) => messages))],
  ]);
  return { ...formError, errors: Object.fromEntries(errors) };
}
