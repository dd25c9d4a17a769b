import { CLOTHING } from './products/clothing.ts';
import { COFFEE } from './products/coffee.ts';
import { DIGITAL } from './products/digital.ts';
import { KITCHEN } from './products/kitchen.ts';
import { OUTDOORS } from './products/outdoors.ts';
import type { DemoProduct } from './products/product.ts';
import { SETS } from './products/sets.ts';

export type { DemoProduct } from './products/product.ts';
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
