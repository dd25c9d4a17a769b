import fc from 'fast-check';

export type Operation = { readonly op: string } & Record<string, unknown>;

const quantity = fc.integer({ min: 1, max: 4 });

const item_id = fc.integer({ min: 1, max: 4 });

/** Goods that take a choice, or several lines of a cart. */
const kind = fc.constantFrom('variant', 'group', 'bundle', 'booking', 'file', 'engraved');

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ op: fc.constant('add'), good: fc.nat(2), quantity }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('set'), item_id, quantity }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('remove'), item_id }) },
  fc.record({ op: fc.constant('coupon'), code: fc.constantFrom('TEN', 'TWO', 'BIG', null) }),
  fc.record({ op: fc.constant('address'), address: fc.record({ country: fc.constantFrom('DE', 'FR') }) }),
  fc.record({ op: fc.constant('shipping_method'), id: fc.constantFrom('standard', 'express') }),
  fc.record({ op: fc.constant('metadata'), metadata: fc.record({ a: fc.constantFrom('1', '2', null) }) }),
);

/** An operation with goods of any type. */
export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: operation },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('add'), kind, quantity }) },
);

/** A cart's lines as a model: product by line id, and quantities. */
type Lines = readonly { readonly id: number; readonly product: number; readonly quantity: number }[];

export interface Model {
  readonly lines: Lines;
  readonly next: number;
}

export const FAILED = 'failed';

export function applied(model: Model, operations: readonly Operation[]): Model | typeof FAILED {
  let { lines, next } = model;
  for (const one of operations) {
    const [id, product, count] = [one.item_id, Number(one.product_id), Number(one.quantity)];
    if (one.op === 'add') {
      const known = lines.find((line) => line.product === product);
      if (known)
        lines = lines.map((line) => (line === known ? { ...line, quantity: line.quantity + count } : line));
      else lines = [...lines, { id: next++, product, quantity: count }];
      continue;
    }
    if (!lines.some((line) => line.id === id)) return FAILED;
    lines =
      one.op === 'remove'
        ? lines.filter((line) => line.id !== id)
        : lines.map((line) => (line.id === id ? { ...line, quantity: count } : line));
  }
  return { lines, next };
}

export const permutations = <T>(list: readonly T[]): T[][] =>
  list.length <= 1
    ? [[...list]]
    : list.flatMap((one, n) => permutations(list.toSpliced(n, 1)).map((rest) => [one, ...rest]));
