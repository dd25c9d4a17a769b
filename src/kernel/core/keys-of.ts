/** Returns the keys of a constant table or of the bindings, in their order. */
export const keysOf = <Table extends object>(table: Table): (keyof Table & string)[] =>
  // A value may have more keys than its type; these don't.
  Object.keys(table) as (keyof Table & string)[];
