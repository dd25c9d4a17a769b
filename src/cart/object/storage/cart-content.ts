import { z } from 'zod';
import { readParts } from './stored-parts.ts';

const json = z.string();

/** The stored rows of a cart, as `CartStore.dump` returns them. */
const CartContent = z.strictObject({
  parts: z.array(z.strictObject({ name: z.enum(['head', 'pricing', 'promotions']), json })),
  lines: z.array(z.strictObject({ id: z.int(), json })),
  history: z.array(z.strictObject({ version: z.int(), json })),
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
