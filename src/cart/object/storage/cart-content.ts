import { z } from 'zod';
import { isDistinct } from '../../../kernel/core/lists.ts';
import { readParts } from './stored-parts.ts';

/** Returns the schema of a stored text of JSON. */
const json = (stored: z.ZodType) => z.string().refine((text) => stored.safeParse(JSON.parse(text)).success);

/** Returns the schema of rows that have different values of a column each. */
const rowsBy = <Column extends string, Row extends Readonly<Record<Column, unknown>>>(
  column: Column,
  row: z.ZodType<Row>,
) => z.array(row).refine((rows) => isDistinct(rows.map((one) => one[column])));

/** An instant in ms that a date, and so an alarm, can have. */
const Instant = z
  .int()
  .min(0)
  .max(2 ** 52);

/** What every version of a cart's head has, and what the object reads without looking. */
const Head = z.looseObject({
  token: z.string(),
  currency: z.string(),
  createdAt: Instant,
  changedAt: Instant,
  expired: Instant.nullish(),
  version: z.int(),
  shown: z.int(),
  nextLine: z.int(),
});
const Line = z.looseObject({
  id: z.int(),
  quantity: z.int(),
  unitPrice: z.int(),
  offer: z.looseObject({ productId: z.int() }),
});
const Part = z.discriminatedUnion('name', [
  z.strictObject({ name: z.literal('head'), json: json(Head) }),
  z.strictObject({ name: z.literal('pricing'), json: json(z.looseObject({})) }),
  z.strictObject({ name: z.literal('promotions'), json: json(z.array(z.looseObject({}))) }),
]);

/** The stored rows of a cart, as `CartStore.dump` returns them. */
const CartContent = z.strictObject({
  parts: rowsBy('name', Part),
  lines: rowsBy('id', z.strictObject({ id: z.int(), json: json(Line) })),
  history: rowsBy('version', z.strictObject({ version: z.int(), json: json(z.looseObject({})) })),
});
export type CartContent = z.infer<typeof CartContent>;

/** Returns the rows of a dumped cart, or null for a text that is none of this format or an earlier one. */
export function parseContent(text: string): CartContent | null {
  try {
    const content = CartContent.parse(JSON.parse(text));
    const part = (name: string) => content.parts.find((one) => one.name === name)?.json;
    const [head, pricing] = [part('head'), part('pricing')];
    const lines = content.lines.map((line) => line.json);
    return head !== undefined && pricing !== undefined && readParts(head, lines) ? content : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof z.ZodError)
      return null;
    throw error;
  }
}
