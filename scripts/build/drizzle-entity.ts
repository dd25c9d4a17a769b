/**
 * Stands in the bundle and in tests for drizzle's `entity.js`. Writing a statement asks of each of its parts which of
 * ten classes it has. drizzle compares names along the chain of classes, so that classes of another copy of it count
 * too; of the one copy here, `instanceof` says the same and takes half of the time of writing a statement.
 */

export const entityKind = Symbol.for('drizzle:entityKind');
export const hasOwnEntityKind = Symbol.for('drizzle:hasOwnEntityKind');

/** Returns whether a value is of a class of drizzle's or of one derived from it. */
export const is = (value: unknown, type: abstract new (...args: never[]) => object): boolean =>
  value instanceof type;
