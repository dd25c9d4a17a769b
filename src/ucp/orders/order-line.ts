import { z } from 'zod';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import type { OrderLineRow } from '../../orders/index.ts';
import { itemOf, lineItemId } from '../cart/present.ts';
import type { Item } from '../cart/schemas.ts';

/** Returns the id of an order's line, which is that of the line in the checkout. */
export const orderLineId = ({ productId, options }: OrderLineRow): string =>
  lineItemId({ productId, options: canonicalJson(options) });

/** The options of a line that was bought as a variant. */
const VariantOptions = z.object({ attributes: z.record(z.string(), z.string()) });

/** Returns the item of an order's line with the title that it has in the checkout. */
export function orderItemOf(line: OrderLineRow): Item {
  const variant = VariantOptions.safeParse(line.options);
  return itemOf({ ...line, choices: Object.values(variant.data?.attributes ?? {}) });
}
