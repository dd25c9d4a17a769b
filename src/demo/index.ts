import type { Page } from '../web/index.ts';
import { demoAccountPages } from './account.tsx';
import { demoCartPages } from './cart.tsx';
import { demoShopPages } from './shop.tsx';
import { demoThanksPages } from './thanks.tsx';

/** Every page of the demo storefront. */
export const demoPages: readonly Page[] = [
  ...demoShopPages,
  ...demoCartPages,
  ...demoThanksPages,
  ...demoAccountPages,
];
