/** Returns the keys of a constant table or of the bindings, in their order. */
export const keysOf = <Table extends object>(table: Table): (keyof Table & string)[] =>
  // A value may have more keys than its type; these don't.
  Object.keys(table) as (keyof Table & string)[];

/** Returns whether a value is an object and no array. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a record's own entry, since a key from a request must not reach `Object.prototype`; none for a null key. */
export const ownEntry = <T>(
  record: Readonly<Record<string, T>> | undefined,
  key: string | null,
): T | undefined =>
  record !== undefined && key !== null && Object.hasOwn(record, key) ? record[key] : undefined;
