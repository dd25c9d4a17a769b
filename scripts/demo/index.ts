import { CLOTHING } from './clothing.ts';
import { COFFEE } from './coffee.ts';
import { DIGITAL } from './digital.ts';
import { KITCHEN } from './kitchen.ts';
import { OUTDOORS } from './outdoors.ts';
import type { DemoProduct } from './product.ts';
import { SETS } from './sets.ts';

export type { DemoProduct } from './product.ts';
export { CATEGORIES, type DemoCategory, PROMOTIONS, TENANT, THEME } from './shop.ts';

/** Every product of the demo shop, the oldest first. Sets come after what they are made of. */
export const PRODUCTS: readonly DemoProduct[] = [
  ...COFFEE,
  ...KITCHEN,
  ...OUTDOORS,
  ...CLOTHING,
  ...SETS,
  ...DIGITAL,
];
