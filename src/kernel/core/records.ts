/** Returns the keys of a constant table or of the bindings, in their order. */
export const keysOf = <Table extends object>(table: Table): (keyof Table & string)[] =>
  // A value may have more keys than its type; these don't.
  Object.keys(table) as (keyof Table & string)[];

/** Returns a record's own entry, since a key from a request must not reach `Object.prototype`; none for a null key. */
export const ownEntry = <T>(
  record: Readonly<Record<string, T>> | undefined,
  key: string | null,
): T | undefined =>
  record !== undefined && key !== null && Object.hasOwn(record, key) ? record[key] : undefined;
