import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import type { OrderLineRow } from '../../orders/index.ts';
import { itemOf, lineItemId } from '../cart/present.ts';
import type { Item } from '../cart/schemas.ts';

/** Returns the id of an order's line, which is that of the line in the checkout. */
export const orderLineId = ({ productId, options }: OrderLineRow): string =>
  lineItemId({ productId, options: canonicalJson(options) });

/** Returns the item of an order's line with the title that it has in the checkout. */
export const orderItemOf = (line: OrderLineRow): Item =>
  itemOf({ ...line, choices: line.selected.map(({ value }) => value) });
